"""SQL on SQLite in memory, in the dialect of MySQL as far as it goes. A table of the world is an entry of a store:

{"shop.products": {"create": "CREATE TABLE products (...)", "rows": [[1, "Lamp", ...], ...]}}
"""

import contextlib
import itertools
import re
import sqlite3
import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from toolyard.core.types import JsonValue, Record
from toolyard.world.kernel import seeds
from toolyard.world.kernel.faults import ToolFault, invalid, not_found
from toolyard.world.kernel.state import Store, World
from toolyard.world.kernel.tables import values_of
from toolyard.world.reference.people import person
from toolyard.world.tools.execute import sql_dialect

MAX_ROWS = 5_000
MAX_STEPS = 2_000_000
MAX_CALLS = 100_000
MAX_BYTES = 4_000_000
# A last resort for steps that are long in themselves; what is merely too much ends at MAX_STEPS, on any machine.
MAX_SECONDS = 5.0
_TICK = 1_000
_NAME = re.compile(r"[A-Za-z_]\w{0,63}")
_PRODUCTS: tuple[tuple[str, str, float], ...] = tuple(values_of("database.products").values())
# Texts are equal whatever their case, as under MySQL's usual collation.
_CREATE = {
    "customers": "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, "
    "email TEXT COLLATE NOCASE, city TEXT COLLATE NOCASE, joined DATE)",
    "products": "CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, "
    "category TEXT COLLATE NOCASE, price REAL, stock INTEGER)",
    "orders": "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, product_id INTEGER, "
    "quantity INTEGER, ordered DATE)",
    "employees": "CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, "
    "department TEXT COLLATE NOCASE, salary INTEGER, hired DATE)",
}
_CITIES = ("London", "Paris", "New York", "Berlin", "Tokyo", "Sydney")


def _initial_tables(seed: int) -> Record:
    chance = seeds.stream(seed, "shop")
    joined = "2023-{:02d}-{:02d}".format
    people = [person(seed, "shop", n) for n in range(32)]
    days = sorted(seeds.stream(seed, "days of orders").choices(range(134), k=60))
    rows: dict[str, list[list[JsonValue]]] = {
        "customers": [
            [n + 1, who["name"], who["email"], chance.choice(_CITIES), joined(chance.randint(1, 4), chance.randint(1, 28))]
            for n, who in enumerate(people[:20])
        ],
        "products": [[n + 1, *row, chance.randint(0, 200)] for n, row in enumerate(_PRODUCTS)],
        "orders": [
            [n + 1, chance.randint(1, 20), chance.randint(1, 10), chance.randint(1, 5),
             (date(2024, 1, 1) + timedelta(days=ordered)).isoformat()]
            for n, ordered in enumerate(days)
        ],
        "employees": [
            [n + 1, who["name"], chance.choice(("Sales", "Support", "Engineering")), chance.randrange(38, 95) * 1000,
             f"{chance.randint(2012, 2023)}-{chance.randint(1, 12):02d}-01"]
            for n, who in enumerate(people[20:])
        ],
    }  # fmt: skip
    return {f"shop.{name}": {"create": _CREATE[name], "rows": rows[name]} for name in _CREATE}


TABLES = Store("database", _initial_tables, most_characters=2_000_000)
_DENIED = {
    sqlite3.SQLITE_ATTACH,
    sqlite3.SQLITE_DETACH,
    sqlite3.SQLITE_PRAGMA,
    sqlite3.SQLITE_CREATE_TRIGGER,
    sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
    sqlite3.SQLITE_CREATE_VTABLE,
    sqlite3.SQLITE_CREATE_VIEW,
}
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 20_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 20_000,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
}
# Without these a large sort goes to files of the host and a large insert to all of its memory. The heap limit
# holds for the process and can only be lowered: it is far above what caches of other databases take.
_BOUNDS = ("temp_store=MEMORY", "max_page_count=4096", "hard_heap_limit=134217728")
_BLOCKED = frozenset({"load_extension", "randomblob", "zeroblob", "printf", "format", "fts3_tokenizer"})


def database_names(world: World) -> list[str]:
    """The names of the databases."""
    return sorted({key.split(".", 1)[0] for key in world.store(TABLES)})


def tables(world: World, database: str) -> list[str]:
    """The names of a database's tables; a fault for an unknown database."""
    if database not in database_names(world):
        raise not_found("database", database[:60], known=database_names(world))
    return [key.split(".", 1)[1] for key in world.store(TABLES) if key.startswith(f"{database}.")]


def describe_columns(world: World, database: str, table: str) -> list[list[JsonValue]]:
    """A table's columns as MySQL describes them; a fault for an unknown table."""
    if table not in tables(world, database):
        raise not_found("table", table, known=tables(world, database))
    with contextlib.closing(_open_database(world, database)) as connection:
        found = list(connection.execute(f'PRAGMA table_info("{table}")'))
        unique = _unique_columns(connection, table)
    # A key that counts by itself is kept as INTEGER, another one as it was written.
    return [
        [name, _kind(kind), "NO" if needed or key else "YES", "PRI" if key else "UNI" if name in unique else "", default,
         "auto_increment" if key and kind == "INTEGER" else ""]
        for _, name, kind, needed, default, key in found
    ]  # fmt: skip


def _unique_columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """The columns that are unique each by itself."""
    indices = [row[1] for row in connection.execute(f'PRAGMA index_list("{table}")') if row[2]]
    columns = [[row[2] for row in connection.execute(f'PRAGMA index_info("{name}")')] for name in indices]
    return {names[0] for names in columns if len(names) == 1}


_KINDS = {
    "integer": "int",
    "text": "varchar(255)",
    "real": "decimal(8,2)",
    "": "text",
    "boolean": "tinyint(1)",
}


def _kind(name: str) -> str:
    """A type as MySQL writes it."""
    return _KINDS.get(name.lower(), name.lower())


def run_query(world: World, database: str, statement: str) -> tuple[list[str], list[list[JsonValue]], int]:
    """Columns, rows and the number of rows changed by one statement; changes go into the world."""
    with contextlib.closing(_open_database(world, database)) as connection:
        _restrict_connection(connection, world.now, database)
        before = connection.total_changes
        try:
            cursor = connection.execute(sql_dialect.translate_statement(statement))
            columns = [sql_dialect.original_column_name(column[0]) for column in cursor.description or ()]
            rows = _fetch_rows(cursor)
        except sqlite3.Error as error:
            raise _statement_fault(statement, error) from None
        except MemoryError:
            raise _too_much_fault() from None
        except (sqlite3.Warning, OverflowError, ValueError) as error:
            raise invalid("sql_cmd", statement[:80], str(error)[:120]) from None
        changed = connection.total_changes - before
        connection.set_authorizer(None)
        connection.set_progress_handler(None, 0)
        if changed or not columns:
            _save_tables(world, database, connection)
            _check_saved_tables(world, database, statement)
    return columns, rows[:MAX_ROWS], changed


def _fetch_rows(cursor: sqlite3.Cursor) -> list[list[JsonValue]]:
    rows: list[list[JsonValue]] = []
    size = 0
    for row in itertools.islice(cursor, MAX_ROWS + 1):
        rows.append(list(row))
        size += sum(len(cell) for cell in row if isinstance(cell, str | bytes))
        if size > MAX_BYTES:
            raise _too_much_fault()
    return rows


def _check_saved_tables(world: World, database: str, statement: str) -> None:
    """A fault, which undoes the change, where the tables could not be opened again as they were saved."""
    try:
        _open_database(world, database).close()
    except sqlite3.Error as error:
        raise invalid("sql_cmd", statement[:80], f"such a table cannot be kept: {error}") from None


def _statement_fault(statement: str, error: sqlite3.Error) -> ToolFault:
    text = str(error)
    if "interrupted" in text or "is full" in text or "too big" in text:
        return _too_much_fault()
    if "authoriz" in text or "prohibited" in text:
        return ToolFault("denied", "only tables of this database may be read and changed")
    return invalid("sql_cmd", statement[:80], sql_dialect.mysql_message(text)[:160])


def _too_much_fault() -> ToolFault:
    return ToolFault("limit_exceeded", "the statement takes too many steps or too much memory; ask for less")


def _open_database(world: World, database: str) -> sqlite3.Connection:
    names = tables(world, database)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    # Bytes may be cast to text that is none.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    for bound in _BOUNDS:
        connection.execute(f"PRAGMA {bound}")
    store = world.store(TABLES)
    connection.execute("BEGIN")
    for name in names:
        table = store[f"{database}.{name}"]
        connection.execute(table["create"])
        if table["rows"]:
            marks = ",".join("?" * len(table["rows"][0]))
            connection.executemany(f'INSERT INTO "{name}" VALUES ({marks})', table["rows"])  # noqa: S608 - own names
    connection.execute("COMMIT")
    connection.execute("PRAGMA writable_schema=OFF")
    return connection


def _restrict_connection(connection: sqlite3.Connection, now: datetime, database: str) -> None:
    for category, limit in _LIMITS.items():
        connection.setlimit(category, limit)
    calls = itertools.count(1)
    for name, count, function in _mysql_functions(now, database):
        connection.create_function(name, count, _limit_calls(function, calls, connection))
    connection.create_aggregate("ordered_concat", 5, sql_dialect.OrderedConcat)
    for name, spread in sql_dialect.SPREADS.items():
        connection.create_aggregate(name, 1, spread)
    left = MAX_STEPS
    end = time.monotonic() + MAX_SECONDS

    def tick() -> int:
        nonlocal left
        left -= _TICK
        return int(left < 0 or time.monotonic() > end)

    def allow(action: int, first: str | None, second: str | None, _: str | None, __: str | None) -> int:
        blocked = action in _DENIED or (action == sqlite3.SQLITE_FUNCTION and second in _BLOCKED)
        return sqlite3.SQLITE_DENY if blocked else sqlite3.SQLITE_OK

    connection.set_progress_handler(tick, _TICK)
    connection.set_authorizer(allow)


def _mysql_functions(now: datetime, database: str) -> Iterator[tuple[str, int, sql_dialect.SqlFunction]]:
    """What MySQL has and SQLite lacks, and whatever would ask the host for time or chance."""
    stamp = now.strftime("%Y-%m-%d %H:%M:%S")
    yield "now", 0, lambda: stamp
    yield "current_timestamp", 0, lambda: stamp
    yield "curdate", 0, lambda: stamp[:10]
    yield "current_date", 0, lambda: stamp[:10]
    yield "curtime", 0, lambda: stamp[11:]
    yield "current_time", 0, lambda: stamp[11:]
    yield "version", 0, lambda: "8.0.36"
    yield "hour", 1, lambda moment: int(str(moment)[11:13] or 0)
    yield "minute", 1, lambda moment: int(str(moment)[14:16] or 0)
    yield "year", 1, lambda day: int(str(day)[:4])
    yield "month", 1, lambda day: int(str(day)[5:7])
    yield "day", 1, lambda day: int(str(day)[8:10])
    yield "concat", -1, lambda *parts: None if None in parts else "".join(map(str, parts))[:10_000]
    yield "if", 3, lambda condition, yes, no: yes if condition else no
    numbers = seeds.stream(stamp, "sql")
    yield "random", 0, lambda: numbers.getrandbits(62)
    yield "rand", 0, numbers.random
    yield from sql_dialect.mysql_functions(numbers, database)
    inner = sqlite3.connect(":memory:", isolation_level=None)
    for name in ("date", "time", "datetime", "julianday", "unixepoch", "strftime"):
        yield name, -1, _date_function(name, stamp, inner)


def _limit_calls(
    function: sql_dialect.SqlFunction, calls: Iterator[int], connection: sqlite3.Connection
) -> sql_dialect.SqlFunction:
    """The function, which interrupts the statement after so many calls: they cost more than other steps."""

    def compute(*arguments: object) -> sql_dialect.SqlValue:
        if next(calls) > MAX_CALLS:
            connection.interrupt()
            return None
        return function(*arguments)

    return compute


def _date_function(name: str, stamp: str, inner: sqlite3.Connection) -> sql_dialect.SqlFunction:
    """A date function of SQLite whose 'now' is the world's time."""

    def compute(*arguments: object) -> sql_dialect.SqlValue:
        wanted = 2 if name == "strftime" else 1
        given = [stamp if str(part).lower() == "now" else part for part in arguments][:12]
        given += [stamp] if len(given) < wanted and given[: wanted - 1] else []
        marks = ",".join("?" * max(len(given), 1))
        found: sql_dialect.SqlValue = inner.execute(f"SELECT {name}({marks})", given or [stamp]).fetchone()[0]
        return found

    return compute


def _save_tables(world: World, database: str, connection: sqlite3.Connection) -> None:
    """Takes over the tables as they are now; only those that differ become changes of the world."""
    store = world.store(TABLES)
    created = dict(
        connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
        )
    )
    for name in tables(world, database):
        if name not in created:
            del store[f"{database}.{name}"]
    for name, sql in created.items():
        if not _NAME.fullmatch(name):
            raise invalid("sql_cmd", name[:60], "names of tables consist of letters, digits and _")
        rows = [list(row) for row in connection.execute(f'SELECT * FROM "{name}" LIMIT {MAX_ROWS + 1}')]  # noqa: S608
        if len(rows) > MAX_ROWS or len(created) > 50:
            raise ToolFault(
                "limit_exceeded", f"a table holds {MAX_ROWS} rows and a database 50 tables at most"
            )
        kinds = [str(column[2]).lower() for column in connection.execute(f'PRAGMA table_info("{name}")')]
        whole = [kind.startswith(("int", "bigint", "smallint", "tinyint")) for kind in kinds]
        kept = [
            [_plain(cell, is_whole) for cell, is_whole in itertools.zip_longest(row, whole)] for row in rows
        ]
        key, table = f"{database}.{name}", {"create": sql, "rows": kept}
        if key not in store or store[key] != table:
            store[key] = table


def _plain(cell: object, is_whole: bool | None) -> object:
    """A cell that can be stored; a column of whole numbers rounds others, as MySQL does."""
    if is_whole and isinstance(cell, float) and abs(cell) < 1e15:
        return int(cell + (0.5 if cell >= 0 else -0.5))
    return cell.hex() if isinstance(cell, bytes) else cell
