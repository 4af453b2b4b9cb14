"""What each database needs of its own: the search index, and no second compression of blobs."""

from django.db import migrations

POSTGRES = [
    "ALTER TABLE inspector_words ADD COLUMN terms tsvector",
    "CREATE INDEX words_terms ON inspector_words USING gin (terms)",
    *(
        f"ALTER TABLE {table} ALTER COLUMN data SET STORAGE EXTERNAL"
        for table in ("inspector_record", "inspector_outline", "inspector_words", "inspector_base")
    ),
]
SQLITE = [
    "CREATE VIRTUAL TABLE inspector_terms USING fts5(terms, content='', tokenize=\"ascii tokenchars '_$'\")",
]
POSTGRES_BACK = ["ALTER TABLE inspector_words DROP COLUMN terms"]
SQLITE_BACK = ["DROP TABLE inspector_terms"]


def run(postgres, sqlite):
    def operation(apps, schema_editor):
        for statement in postgres if schema_editor.connection.vendor == "postgresql" else sqlite:
            schema_editor.execute(statement)

    return operation


class Migration(migrations.Migration):
    dependencies = [("inspector", "0001_initial")]
    operations = [migrations.RunPython(run(POSTGRES, SQLITE), run(POSTGRES_BACK, SQLITE_BACK))]
