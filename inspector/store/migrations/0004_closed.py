"""Projects that were deleted, and whose turns are dropped bit by bit."""

from django.db import migrations, models


class Migration(migrations.Migration):
    """One column of projects."""

    dependencies = [("inspector", "0003_matching")]

    operations = [
        migrations.AddField(
            model_name="project",
            name="closed_at",
            field=models.DateTimeField(null=True),
        ),
    ]
