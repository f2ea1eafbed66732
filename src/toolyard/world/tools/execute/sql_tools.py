"""Execute/Execute, SQL: statements on the databases of the world."""

import re
from typing import Annotated, TypedDict

from toolyard.world.kernel.faults import invalid, not_found
from toolyard.world.kernel.registry import Group
from toolyard.world.kernel.state import World
from toolyard.world.kernel.types import JsonValue, Range, Semantic
from toolyard.world.tools.execute import database as sql
from toolyard.world.tools.execute.sql_dialect import UNKNOWN

GROUP = Group("Execute/Execute")
SHOWN = 100
DatabaseName = Annotated[str, Semantic("database_name")]
_SHOW = re.compile(r"show\s+(databases|tables)", re.IGNORECASE)
_DESCRIBE = re.compile(
    r"(?:describe|desc|explain|show\s+(?:full\s+)?(?:columns|fields)\s+(?:from|in))\s+`?(\w{1,64})`?",
    re.IGNORECASE,
)

_DESCRIBED = ("Field", "Type", "Null", "Key", "Default", "Extra")


class Rows(TypedDict):
    database: DatabaseName
    columns: list[str]
    rows: list[dict[str, JsonValue]]
    row_count: int
    rows_changed: int


@GROUP.tool(
    isolated=True,
    examples=[
        {
            "sql_cmd": "SELECT category, COUNT(*) AS products, AVG(price) AS mean_price FROM products GROUP BY category"
        },
        {"sql_cmd": "SHOW TABLES"},
        {"sql_cmd": "UPDATE products SET stock = stock + 10 WHERE id = 1"},
    ],
    phrase="run on the MySQL database[ named {database}] the SQL statement that reads {sql_cmd}",
    noun="the MySQL query result",
    listed_as="MysqlQuery",
)
def execute_mysql_query(
    world: World,
    *,
    sql_cmd: Annotated[str, Range(1, 10_000)],
    host: str = "localhost",
    user: str = "root",
    database: DatabaseName = "shop",
) -> Rows:
    """The rows that one SQL statement selects (the first 100), or how many it changed.

    The database shop has the tables customers, products, orders and employees. MySQL's usual functions are known.

    sql_cmd: One statement: SELECT, INSERT, UPDATE, DELETE, CREATE TABLE, DROP TABLE, SHOW TABLES or DESCRIBE.
    host: Machine of the database; only localhost answers.
    user: Who asks; every user may do everything.
    database: Name of the database.
    """
    if host.strip().lower() not in ("localhost", "127.0.0.1", "::1"):
        raise not_found("database server", host[:60], known=("localhost",))
    columns, rows, changed = _run_query(world, database.strip(), sql_cmd.strip().rstrip(";").strip())
    return {
        "database": database.strip(),
        "columns": columns,
        "rows": [dict(zip(columns, map(_json_cell, row), strict=False)) for row in rows[:SHOWN]],
        "row_count": len(rows),
        "rows_changed": changed,
    }


def _run_query(world: World, database: str, statement: str) -> tuple[list[str], list[list[JsonValue]], int]:
    if not statement:
        raise invalid("sql_cmd", statement, "want one SQL statement")
    show = _SHOW.fullmatch(statement)
    if show:
        names = sql.database_names(world) if show[1].lower() == "databases" else sql.tables(world, database)
        title = "Database" if show[1].lower() == "databases" else f"Tables_in_{database}"
        return [title], [[name] for name in names], 0
    described = _DESCRIBE.fullmatch(statement)
    if described:
        return list(_DESCRIBED), sql.describe_columns(world, database, described[1]), 0
    if statement.lower().startswith(UNKNOWN):
        raise invalid(
            "sql_cmd",
            statement[:80],
            "want SELECT, INSERT, UPDATE, DELETE, CREATE TABLE, DROP TABLE or SHOW TABLES",
        )
    if re.match(r"(?:drop|create)\s+(?:database|schema|user|procedure)", statement, re.IGNORECASE):
        raise invalid("sql_cmd", statement[:80], "only tables may be made and dropped")
    return sql.run_query(world, database, statement)


def _json_cell(value: object) -> object:
    if isinstance(value, float):
        return round(value, 6) if abs(value) < 1e300 else str(value)
    return value.hex() if isinstance(value, bytes) else value
