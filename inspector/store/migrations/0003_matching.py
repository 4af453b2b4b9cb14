"""A question to Postgres' search index that is always answered from the index.

Vectors lie outside their table's rows, which the planner does not count: it takes reading every one of them for
cheap, and does that for words that are rare. A function with settings of its own is planned by these.
"""

from django.db import migrations

CREATE = """
CREATE FUNCTION inspector_matching(question tsquery) RETURNS SETOF bigint
LANGUAGE sql STABLE ROWS 1000 SET enable_seqscan = off
AS 'SELECT id FROM inspector_words WHERE terms @@ question'
"""
DROP = "DROP FUNCTION inspector_matching(tsquery)"


def run(statement):
    def operation(apps, schema_editor):
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(statement)

    return operation


class Migration(migrations.Migration):
    dependencies = [("inspector", "0002_vendor")]
    operations = [migrations.RunPython(run(CREATE), run(DROP))]
