# ruff: noqa: E501
"""Small grammars of the languages that computing tools read: shell, SQL, mathematics, Python and patterns."""

from __future__ import annotations

from collections.abc import Mapping

Grammar = Mapping[str, tuple[str, ...]]
NUMBER = (
    "1", "0", "-1", "+1", "+-1", "--1", "9", "10", "99", "999999", "1000000", "9999999", "1e3", "0x1", "", "٣", "1.5", "-0", "1-", "-1-2", "1,2", "a",
)  # fmt: skip
SHELL: Grammar = {
    "line": ("<cmd>", "<cmd> | <cmd>", "<cmd>; <line>", "<cmd> && <line>", "<cmd> || <line>", "<cmd> > <file>", "<cmd> >> <file>",
             "<cmd> < <file>", "<cmd> 2>&1 | <line>", "X=<word>; <line>", "<cmd>\n<line>", "<cmd> 2> <file>"),
    "cmd": ("ls <file>", "cat <file>", "head -n <n> <file>", "tail -n <n> <file>", "head -c <n> <file>", "tail -c <n> <file>", "tail -<n> <file>",
            "seq <n>", "seq <n> <n>", "seq <n> <n> <n>", "cut -f <n> <file>", "cut -c <n>-<n> <file>", "cut -d <word> -f <n>,<n> <file>",
            "sort -k <n> <file>", "sort -t <word> -k <n>n <file>", "sort -<flag> <file>", "uniq -<flag> <file>", "wc -<flag> <file>",
            "grep -<flag> <re> <file>", "grep <re> <file>", "grep -E <re> <file>", "tr <word> <word>", "tr -d <word>", "mv <file> <file>",
            "cp <file> <file>", "cp -r <file> <file>", "rm -rf <file>", "mkdir -p <file>", "mkdir <file>", "rmdir <file>", "touch <file>", "cd <file>",
            "cd", "pwd", "find <file> -name <word>", "find <file> -type <word>", "find <file> -maxdepth <n>", "find <file> -size <n>", "find <file>",
            "du <file>", "stat <file>", "basename <file>", "dirname <file>", "tee <file>", "nl <file>", "rev <file>", "date +<word>", "echo -<flag> <word>",
            "echo <word>", "printf <word> <n>", "export <word>=<word>", "env", "python3 -c '<py>'", "python3 <file>", "sleep <n>", "false", "true",
            "xargs <cmd>", "sed <word> <file>", "awk <word> <file>", "diff <file> <file>", "which <word>", "ls -<flag> <file>", "<word>", "test -f <file>"),
    "file": ("notes.txt", "/workspace", "/", "sales.csv", "*", "'a b'", "/workspace/*", "..", ".", "x", "x/y/z", "/data", "''", "chart.png", "$HOME", "$X",
             "/workspace/Tool_learning_test/Tools/File/Pdf/test_file/world.pdf", "/dev/null", "-", "--", "~", "?", "[a-z]*", "\\", "/x/../..", "//"),
    "n": NUMBER,
    "flag": ("n", "l", "a", "r", "u", "c", "k", "t", "e", "w", "i", "v", "o", "rn", "nr", "z", "-", "1", "lR", "f"),
    "word": ("a", "''", "'%s'", '"%d"', "%", "%Y%%%q%", "$?", "$", "'\\n'", "a-z", "z-a", "'[:alpha:]'", "\\", "x=y", "'s/a/b/'", "+", "'*.txt'", "🙂",
             "\"$(id)\"", "'{print $1}'", "-", "f", "d"),
    "re": ("a", "'(a+)+$'", "'['", "'*'", "'a{1,99999}'", "''", "'\\\\1'", "'(?<x>'", "'^$'", "'.'", "'(a|b)*c'", "'[[:digit:]]'", "'(((((a)))))'", "'\\b'"),
    "py": ("1", "print(1)", "while True: pass", "10**9999", "[0]*10**9", "1/0", "import os", "open(\"/x\",\"w\").write(\"y\")", "\"a\"*99999"),
}  # fmt: skip
SQL: Grammar = {
    "line": ("SELECT <e>", "SELECT <e> FROM <t>", "SELECT <e>, <e> FROM <t> WHERE <e>", "SELECT <e> FROM <t> a, <t> b, <t> c", "INSERT INTO <t> VALUES (<e>)",
             "INSERT INTO orders (quantity) VALUES (<e>)", "UPDATE <t> SET name = <e>", "DELETE FROM <t> WHERE <e>", "CREATE TABLE <new> (<c>)",
             "CREATE TABLE <new> AS SELECT <e> AS a, <e> AS b", "DROP TABLE <t>", "SHOW TABLES", "DESCRIBE <t>", "SHOW DATABASES", "PRAGMA <t>", "BEGIN",
             "SELECT * FROM <t> ORDER BY <e> LIMIT <e>", "SELECT <e> FROM <t> GROUP BY <e> HAVING <e>", "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r LIMIT 100000) SELECT <e> FROM r",
             "SELECT <e>; SELECT <e>", "EXPLAIN SELECT <e>", "VACUUM", "ALTER TABLE <t> RENAME TO <new>", "ALTER TABLE <t> ADD COLUMN <new> <e>", "REPLACE INTO <t> VALUES (<e>, <e>)",
             "SELECT <e> UNION SELECT <e>", "CREATE TEMP TABLE <new> (<c>)", "ATTACH 'x' AS y", "SELECT * FROM sqlite_master", "SELECT <e> OVER (ORDER BY <e>) FROM <t>", "VALUES (<e>)"),
    "e": ("1", "NULL", "x'ff'", "CAST(x'ff' AS TEXT)", "CAST(x'fffe00' AS TEXT)", "x''", "''", "'a'", "9e999", "-9e999", "9223372036854775807", "9223372036854775808", "id", "name", "*",
          "COUNT(*)", "SUM(<e>)", "AVG(<e>)", "GROUP_CONCAT(<e>)", "concat(<e>, <e>)", "year(<e>)", "month(<e>)", "day(<e>)", "date(<e>)", "datetime(<e>, <e>)", "strftime(<e>, <e>)",
          "julianday(<e>)", "unixepoch(<e>)", "now()", "rand()", "if(<e>, <e>, <e>)", "abs(<e>)", "round(<e>, <e>)", "substr(<e>, <e>, <e>)", "hex(<e>)", "quote(<e>)", "char(<e>)", "unicode(<e>)",
          "replace(<e>, <e>, <e>)", "instr(<e>, <e>)", "<e> || <e>", "<e> + <e>", "<e> / <e>", "<e> % <e>", "<e> << <e>", "- <e>", "NOT <e>", "<e> LIKE <e>", "<e> GLOB <e>", "<e> REGEXP <e>",
          "(SELECT <e>)", "EXISTS (SELECT <e>)", "CASE WHEN <e> THEN <e> ELSE <e> END", "CAST(<e> AS INTEGER)", "CAST(<e> AS BLOB)", "json(<e>)", "json_array(<e>)", "json_extract(<e>, <e>)",
          "json_group_array(<e>)", "zeroblob(9999999)", "printf('%d', <e>)", "typeof(<e>)", "min(<e>, <e>)", "max(<e>)", "likelihood(<e>, 0.5)", "total_changes()", "last_insert_rowid()",
          "'%Y-%m-%d'", "'now'", "'9999-12-31'", "'+9999 years'", "'\x00'", "\"quoted\"", "group_concat(<e>, <e>)", "trim(<e>, <e>)", "soundex(<e>)", "exp(<e>)", "pow(<e>, <e>)", "log(<e>)"),
    "t": ("orders", "customers", "products", "employees", "nothing", "\"a b\"", "sqlite_master", "new1", "new2"),
    "new": ("new1", "new2", "\"a b\"", "sqlite_x", "orders", "\"\"", "é"),
    "c": ("a", "a INTEGER PRIMARY KEY", "a INT AUTO_INCREMENT", "a, b TEXT", "a CHECK (a > <e>)", "a DEFAULT (<e>)", "a GENERATED ALWAYS AS (<e>)", "a, a", "a REFERENCES orders(id)", ""),
}  # fmt: skip
MATHEMATICS: Grammar = {
    "line": ("<e>", "integrate <e>", "integrate <e> from <b> to <b>", "derivative of <e>", "solve <e> = <e>", "solve <e>", "factor <e>", "expand <e>", "simplify <e>", "what is <w> plus <w>", "area under <e> from <b> to <b>"),
    "bar": ("<e>", "<b>|<e>", "<b>:<b>|<e>", "<b>:<b>:<b>|<e>", "|<e>", "<e>|", "x|<e>", "0:pi|<e>"),
    "e": ("x", "1", "<n>", "<e> + <e>", "<e> - <e>", "<e> * <e>", "<e> / <e>", "<e>^<e>", "(<e>)", "-<e>", "<f>(<e>)", "<f>(<e>)", "<f>(<e>, <e>)", "<n>x", "x^<n>", "<n>^(<n>x)", "(x + <n>)^<n>", "1/(x^<n> + x^<n> + 1)",
          "x^<n> + x^<n> - <n>", "<e>!", "<f>(<n>)", "<f>(x)", "pi", "e", "i", "<n>^<n>", "y", "<e>%"),
    "n": ("2", "0", "1", "3", "10", "40", "41", "100", "1000", "10^2000", "1e308", "1e-308", "0.1", "1/3", "1.05", "1200000", "999999999", "0.30000000000000004", "2000", "9" * 60),
    "b": ("0", "1", "-1", "pi", "1000", "10^6", "1e30", "x", "i", "1/0", "inf", "e", "-1000", "sqrt(2)", "10^300"),
    "f": ("sin", "cos", "tan", "sec", "csc", "cot", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "ln", "log2", "log10", "sqrt", "cbrt", "factorial", "gcd", "lcm", "floor", "ceil", "round", "min", "max", "comb", "abs", "nope"),
    "w": ("two", "hundred", "five hundred and six", "zero", "million million million", "minus one", "half", "third of nine"),
}  # fmt: skip
PYTHON: Grammar = {
    "line": ("<e>", "print(<e>)", "x = <e>\n<line>", "import <m>\n<line>", "for i in range(<n>): <s>", "while True: <s>", "def f(n): return f(n) + 1\nf(<n>)", "open(<f>, <o>).write(<e>)", "print(open(<f>).read())",
             "import os\nos.<os>", "class A: pass\nA()", "try:\n    <s>\nexcept BaseException as e:\n    print(e)", "x = <e>\nx", "lambda: <e>", "(<e> for _ in range(<n>))", "assert <e>", "raise ValueError(<e>)", "del x", "exit()", "input()",
             "import re\nre.search(<e>, <e>)", "import json\njson.loads(<e>)", "import sys\nsys.exit(1)", "from pathlib import Path\nPath(<f>).write_text(<e>)", "async def f(): pass\nf()", "x: int = <e>", "match <e>:\n    case _: <s>"),
    "e": ("1", "'a'", "<n>", "[<e>] * <n>", "'a' * <n>", "<n> ** <n>", "<n> << <n>", "[<e>, <e>]", "{<e>: <e>}", "{<e>}", "(<e>,)", "b'\\xff'", "'\\ud800'", "float('nan')", "float('inf')", "None", "...", "str(<e>)", "repr(<e>)", "sorted(<e>)", "len(<e>)",
          "<e> + <e>", "<e> * <e>", "<e> / <e>", "<e> % <e>", "f'{<n>:<n>}'", "'%<n>d' % <e>", "int(<e>)", "chr(<n>)", "range(<n>)", "print", "type(<e>)", "complex(<n>, 1)", "sum(range(<n>))", "'{:>9999999}'.format(1)", "__import__('os')", "().__class__", "x"),
    "s": ("pass", "print(<e>)", "x = <e>", "break", "x = [x]", "raise <e>"),
    "n": ("1", "0", "-1", "5", "1000", "10**6", "10**9", "10**20", "2**63", "99999", "4301", "0.5", "5000"),
    "f": ("'/workspace/notes.txt'", "'/workspace/x'", "'/x/y'", "''", "'/'", "'/workspace'", "'/workspace/notes.txt/x'", "'\\x00'", "'a' * 999", "1", "'/etc/passwd'", "'/data'", "'/workspace/a\\nb'", "b'/x'", "'/workspace/bad.pdf'"),
    "o": ("'w'", "'r'", "'wb'", "'a'", "'x'", "'r+'", "'zz'", "''"),
    "m": ("os", "sys", "re", "json", "math", "random", "datetime", "socket", "subprocess", "asyncio", "typing", "pathlib", "nothing"),
    "os": ("remove('/workspace/notes.txt')", "makedirs('/workspace/notes.txt')", "mkdir('/workspace/x')", "rename('/workspace', '/w')", "rename('/workspace/notes.txt', '/data')", "rmdir('/data')", "listdir('/')", "rename('/workspace/x', '/workspace/x/y')", "system('id')",
           "environ", "getcwd()", "stat('/workspace')", "remove('/workspace/notes.txt'); os.makedirs('/workspace/notes.txt/a')", "rmdir('/data'); open('/data', 'w').write('x')", "rename('/', '/x')", "walk('/')"),
}  # fmt: skip
PATTERNS: Grammar = {
    "line": ("<p>", "^<p>$", "<p>|<p>", "(?i)<p>"),
    "p": ("a", ".", "<p>*", "<p>+", "<p>?", "(<p>)", "[<p>]", "<p><p>", "<p>{1,9999}", "<p>{99999}", "\\b", "\\1", "(?=<p>)", "(?<!<p>)", "(?P<x><p>)", "\\p{L}", "[", "(", "*", "é", "\\", "(<p>*)*", "[z-a]", "(?:<p>)", "$^", "\\x", "\\u12"),
}  # fmt: skip
