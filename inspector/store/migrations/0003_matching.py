"""A question to Postgres' search index that is always answered from the index, for a stretch of ids.

The index knows words, not their places: a phrase is looked for in the rows that have all its words. The
planner takes reading every row for cheap, and does that for words that are rare. A function with settings of
its own is planned by these.
"""

from django.db import migrations

MATCHES = """inspector_vector(line) @@ question
      AND (SELECT bool_and(strpos(line || ' ', phrase) > 0) FROM unnest(phrases) phrase) IS NOT FALSE"""
CREATE = [
    f"""
CREATE FUNCTION inspector_matching(question tsquery, phrases text[], low bigint, high bigint)
RETURNS SETOF bigint LANGUAGE sql STABLE ROWS 1000 SET enable_seqscan = off
AS $$ SELECT id FROM inspector_words WHERE {MATCHES} AND id >= low AND id < high $$
""",
    f"""
CREATE FUNCTION inspector_sessions_matching(question tsquery, phrases text[])
RETURNS SETOF bigint LANGUAGE sql STABLE ROWS 1000 SET enable_seqscan = off
AS $$ SELECT DISTINCT session_id FROM inspector_words WHERE {MATCHES} $$
""",
]
DROP = [
    "DROP FUNCTION inspector_matching(tsquery, text[], bigint, bigint)",
    "DROP FUNCTION inspector_sessions_matching(tsquery, text[])",
]


def run(statements):
    def operation(apps, schema_editor):
        for statement in statements if schema_editor.connection.vendor == "postgresql" else ():
            schema_editor.execute(statement)

    return operation


class Migration(migrations.Migration):
    dependencies = [("inspector", "0002_vendor")]
    operations = [migrations.RunPython(run(CREATE), run(DROP))]
