"""Turns that are to be read anew wait until whatever is new has been read."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One column of turns, and the index of what is due in their order."""

    dependencies = [("inspector", "0004_closed")]

    operations = [
        migrations.AddField(
            model_name="turn",
            name="again",
            field=models.BooleanField(default=False, db_default=False),
        ),
        migrations.RemoveIndex(model_name="turn", name="turn_due"),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(condition=models.Q(("due", True)), fields=["again", "id"], name="turn_due"),
        ),
    ]
