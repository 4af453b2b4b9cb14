"""What each database needs of its own: the search index, and no second compression of blobs."""

from django.db import migrations

# A vector takes three times the room of the words it is made of, so the words are kept, and it is made of
# them, once, for the index.
VECTOR = """
CREATE FUNCTION inspector_vector(line text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
AS $$ SELECT coalesce(string_agg(word || ':' || place, ' '), '')::tsvector
      FROM unnest(string_to_array(line, ' ')) WITH ORDINALITY AS words(word, place) WHERE word <> '' $$
"""
POSTGRES = [
    "ALTER TABLE inspector_words ADD COLUMN line text, ADD COLUMN session_id bigint",
    VECTOR,
    # What waits to be sorted in is read by every search, and takes seven times the room.
    "CREATE INDEX words_terms ON inspector_words USING gin (inspector_vector(line))"
    " WITH (gin_pending_list_limit = 128)",
    *(
        f"ALTER TABLE {table} ALTER COLUMN data SET STORAGE EXTERNAL"
        for table in ("inspector_record", "inspector_outline", "inspector_words", "inspector_base")
    ),
]
SQLITE = [
    "CREATE VIRTUAL TABLE inspector_terms USING fts5(terms, content='', tokenize=\"ascii tokenchars '_$'\")",
]
POSTGRES_BACK = ["ALTER TABLE inspector_words DROP COLUMN line, DROP COLUMN session_id", "DROP FUNCTION inspector_vector(text)"]
SQLITE_BACK = ["DROP TABLE inspector_terms"]


def run(postgres, sqlite):
    def operation(apps, schema_editor):
        for statement in postgres if schema_editor.connection.vendor == "postgresql" else sqlite:
            schema_editor.execute(statement)

    return operation


class Migration(migrations.Migration):
    dependencies = [("inspector", "0001_initial")]
    operations = [migrations.RunPython(run(POSTGRES, SQLITE), run(POSTGRES_BACK, SQLITE_BACK))]
