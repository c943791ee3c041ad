"""Makes SELECT statements and says what DuckDB answers.

Prints JSON lines: tables ({"tables": {name: {"columns": {...}, "rows": [...]}}}) and, behind them, the statements over
them ({"sql": ..., "rows": [[...]], "ordered": ...}). The same seed gives the same lines.

    python sql_oracle.py --seed 1 --cases 1000

The statements keep to what both engines define alike: no integer division, no casts that round, no overflow, no order
of rows that the statement does not fix, no minus zero. Floats are multiples of 1/8, so that sums are exact in any order.
"""

import argparse
import datetime
import json
import random
import sys

import duckdb

START = datetime.datetime(2025, 11, 3)
WORDS = ["linen", "cotton", "Linen", "wool", "a_b", "grün", "", "it's", " x ", "42", "-7", "silk road"]
GROUPS = ["red", "green", "blue"]
SQL_TYPES = {"Int64": "BIGINT", "Double": "DOUBLE", "String": "VARCHAR", "Bool": "BOOLEAN", "DateTime": "TIMESTAMP"}
TABLES = {
    "orders": {"k": "Int64", "a": "Int64", "b": "Int64", "x": "Double", "y": "Double", "s": "String", "c": "String", "f": "Bool", "d": "DateTime"},
    "items": {"n": "Int64", "a": "Int64", "z": "Double", "t": "String", "c": "String", "g": "Bool", "e": "DateTime"},
}
UNIQUE = {"orders": "k", "items": "n"}


def make_value(kind, name, rng):
    if rng.random() < 0.15:
        return None
    match kind:
        case "Int64":
            return rng.choice([0, 1, 2, 3, 5, 7, 10, -1, -4, 100])
        case "Double":
            return rng.randrange(-80, 80) / 8
        case "String":
            return rng.choice(GROUPS if name == "c" else WORDS)
        case "Bool":
            return rng.random() < 0.5
        case "DateTime":
            return START + datetime.timedelta(seconds=rng.randrange(200 * 86_400))


def make_tables(rng):
    tables = {}
    for table, columns in TABLES.items():
        rows = []
        for number in range(rng.choice([0, 1, 12, 30, 30, 30, 30, 30])):
            row = {name: make_value(kind, name, rng) for name, kind in columns.items()}
            row[UNIQUE[table]] = number
            rows.append(row)
        tables[table] = rows
    return tables


def quote(text):
    return "'" + text.replace("'", "''") + "'"


class Maker:
    """Expressions over the columns in scope: (text, type)."""

    def __init__(self, rng, scope):
        self.rng, self.scope = rng, scope

    def column(self, kind):
        names = [name for name, found in self.scope if found == kind]
        return self.rng.choice(names) if names else self.literal(kind)

    def literal(self, kind):
        rng = self.rng
        match kind:
            case "Int64":
                return str(rng.choice([0, 1, 2, 3, 7, 10, 100]))
            case "Double":
                return f"CAST({rng.randrange(-40, 40) / 8} AS DOUBLE)"
            case "String":
                return quote(rng.choice(WORDS))
            case "Bool":
                return rng.choice(["TRUE", "FALSE"])
            case "DateTime":
                return f"TIMESTAMP '{START + datetime.timedelta(days=rng.randrange(200))}'"

    def any(self, depth):
        kind = self.rng.choice(list(SQL_TYPES))
        return self.make(kind, depth)

    def make(self, kind, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            return self.column(kind) if rng.random() < 0.8 else self.literal(kind)
        common = [
            lambda: f"CASE WHEN {self.make('Bool', depth - 1)} THEN {self.make(kind, depth - 1)} ELSE {self.make(kind, depth - 1)} END",
            lambda: f"CASE WHEN {self.make('Bool', depth - 1)} THEN {self.make(kind, depth - 1)} END",
            lambda: f"COALESCE({self.make(kind, depth - 1)}, {self.make(kind, depth - 1)})",
            lambda: f"NULLIF({self.make(kind, depth - 1)}, {self.make(kind, depth - 1)})",
        ]
        made = rng.choice([*common, *self.own(kind, depth - 1) * 3])()
        # Minus zero is zero to one engine and less than zero to the other.
        return f"({made} + CAST(0 AS DOUBLE))" if kind == "Double" else made

    def own(self, kind, depth):
        rng, make = self.rng, self.make
        match kind:
            case "Int64":
                return [
                    lambda: f"({make('Int64', depth)} {rng.choice('+-')} {make('Int64', depth)})",
                    # Small on the right, so that no depth of nesting overflows.
                    lambda: f"({make('Int64', depth)} * {rng.randrange(-3, 4)})",
                    lambda: f"({make('Int64', depth)} % NULLIF({make('Int64', depth)}, 0))",
                    lambda: f"abs({make('Int64', depth)})",
                    lambda: f"(- {make('Int64', depth)})",
                    lambda: f"length({make('String', depth)})",
                    lambda: f"strpos({make('String', depth)}, {self.literal('String')})",
                    lambda: f"EXTRACT({rng.choice(['year', 'month', 'day', 'hour', 'minute'])} FROM {make('DateTime', depth)})",
                    lambda: f"CAST({make('Bool', depth)} AS BIGINT)",
                    lambda: f"TRY_CAST({self.column('String')} AS BIGINT)",
                    lambda: f"{rng.choice(['greatest', 'least'])}({make('Int64', depth)}, {make('Int64', depth)})",
                ]
            case "Double":
                return [
                    lambda: f"({make('Double', depth)} {rng.choice('+-')} {make('Double', depth)})",
                    lambda: f"({make('Double', depth)} * {rng.choice([0.5, 2.0, -1.5])})",
                    lambda: f"({make('Double', depth)} / NULLIF({make('Double', depth)}, 0))",
                    lambda: f"{rng.choice(['abs', 'floor', 'ceil', 'round'])}({self.column('Double')})",
                    lambda: f"sqrt(abs({make('Double', depth)}))",
                    lambda: f"CAST({make('Int64', depth)} AS DOUBLE)",
                ]
            case "String":
                return [
                    lambda: f"{rng.choice(['upper', 'lower', 'trim', 'ltrim', 'rtrim', 'reverse'])}({make('String', depth)})",
                    lambda: f"({make('String', depth)} || {make('String', depth)})",
                    lambda: f"concat({make('String', depth)}, {make('String', depth)})",
                    lambda: f"replace({make('String', depth)}, {quote(rng.choice(['l', 'o', ' ', 'in']))}, {self.literal('String')})",
                    lambda: f"substr({make('String', depth)}, {rng.randrange(1, 5)}, {rng.randrange(0, 5)})",
                    lambda: f"{rng.choice(['left', 'right'])}({make('String', depth)}, {rng.randrange(0, 5)})",
                    lambda: f"CAST({make('Int64', depth)} AS VARCHAR)",
                    lambda: f"CAST({make('Bool', depth)} AS VARCHAR)",
                ]
            case "DateTime":
                return [
                    lambda: f"date_trunc('{rng.choice(['hour', 'day', 'week', 'month', 'year'])}', {make('DateTime', depth)})",
                    lambda: f"({make('DateTime', depth)} {rng.choice('+-')} INTERVAL '{rng.randrange(1, 40)} {rng.choice(['hours', 'days'])}')",
                ]
            case "Bool":
                return [
                    lambda: f"({make('Bool', depth)} {rng.choice(['AND', 'OR'])} {make('Bool', depth)})",
                    lambda: f"(NOT {make('Bool', depth)})",
                    lambda: self.comparison(depth),
                    lambda: self.comparison(depth),
                    lambda: f"({self.any(depth)} IS {rng.choice(['', 'NOT '])}NULL)",
                    lambda: f"({make('Bool', depth)} IS {rng.choice(['', 'NOT '])}{rng.choice(['TRUE', 'FALSE'])})",
                    lambda: f"({make('String', depth)} {rng.choice(['', 'NOT '])}{rng.choice(['LIKE', 'ILIKE'])} {quote(rng.choice(['%in%', 'l%', '_o%', '%', '']))})",
                    lambda: f"starts_with({make('String', depth)}, {quote(rng.choice(['l', 'L', '']))})",
                    lambda: self.membership(depth),
                ]

    def comparison(self, depth):
        kind = self.rng.choice(list(SQL_TYPES))
        left, right = self.make(kind, depth), self.make(kind, depth)
        if kind != "Bool" and self.rng.random() < 0.2:
            return f"({left} {self.rng.choice(['', 'NOT '])}BETWEEN {right} AND {self.make(kind, depth)})"
        return f"({left} {self.rng.choice(['=', '<>', '<', '<=', '>', '>=', 'IS DISTINCT FROM', 'IS NOT DISTINCT FROM'])} {right})"

    def membership(self, depth):
        kind = self.rng.choice(["Int64", "String"])
        entries = [self.literal(kind) for _ in range(self.rng.randrange(1, 4))]
        if self.rng.random() < 0.2:
            entries.append("NULL")
        return f"({self.make(kind, depth)} {self.rng.choice(['', 'NOT '])}IN ({', '.join(entries)}))"

    def aggregate(self, depth):
        rng, make = self.rng, self.make
        plain = rng.choice(
            [
                lambda: "count(*)",
                lambda: f"count({self.any(depth)})",
                lambda: f"count(DISTINCT {make(rng.choice(['Int64', 'String']), depth)})",
                lambda: f"sum({rng.choice(['', 'DISTINCT '])}{make('Int64', depth)})",
                lambda: f"sum({self.column('Double')})",
                lambda: f"avg({rng.choice([self.column('Double'), make('Int64', depth)])})",
                lambda: f"{rng.choice(['min', 'max'])}({make(rng.choice(['Int64', 'Double', 'String', 'DateTime']), depth)})",
                lambda: f"{rng.choice(['bool_and', 'bool_or'])}({make('Bool', depth)})",
                lambda: f"median({self.column('Double')})",
            ]
        )()
        if "DISTINCT" not in plain and rng.random() < 0.25:
            return f"{plain} FILTER (WHERE {make('Bool', depth)})"
        return plain

    def window(self, unique):
        rng = self.rng
        over = f"OVER ({rng.choice(['', 'PARTITION BY c '])}ORDER BY {unique}{rng.choice(['', ' DESC'])})"
        function = rng.choice(
            [
                lambda: "row_number()",
                lambda: "rank()",
                lambda: f"lag({self.column('Int64')}, {rng.randrange(1, 3)})",
                lambda: f"lead({self.column('String')})",
                lambda: f"first_value({self.column('Double')})",
                lambda: f"sum({self.column('Int64')})",
                lambda: f"count({self.column('String')})",
                lambda: f"max({self.column('Double')})",
            ]
        )()
        return f"{function} {over}"


def named(expressions):
    return ", ".join(f"{expression} AS c{place}" for place, expression in enumerate(expressions))


def scope_of(table, prefix=""):
    return [(f"{prefix}{name}", kind) for name, kind in TABLES[table].items()]


def where(maker, chance=0.5):
    return f" WHERE {maker.make('Bool', 2)}" if maker.rng.random() < chance else ""


def plain(rng):
    table = rng.choice(list(TABLES))
    maker = Maker(rng, scope_of(table))
    distinct = rng.choice(["", "", "DISTINCT "])
    return f"SELECT {distinct}{named(maker.any(3) for _ in range(rng.randrange(1, 5)))} FROM {table}{where(maker)}", False


def grouped(rng):
    table = rng.choice(list(TABLES))
    maker = Maker(rng, scope_of(table))
    keys = rng.sample(["c", "a", "f" if table == "orders" else "g"], rng.randrange(0, 3))
    grouping = ", ".join(keys)
    if len(keys) > 1 and rng.random() < 0.4:
        grouping = f"{rng.choice(['ROLLUP', 'CUBE'])} ({grouping})"
    selected = [*keys, *(maker.aggregate(1) for _ in range(rng.randrange(1, 4)))]
    tail = f" GROUP BY {grouping}" if keys else ""
    if rng.random() < 0.3:
        tail += f" HAVING count(*) > {rng.randrange(0, 3)}"
    return f"SELECT {named(selected)} FROM {table}{where(maker)}{tail}", False


def joined(rng):
    kind = rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN"])
    maker = Maker(rng, scope_of("orders", "o.") + scope_of("items", "i."))
    condition = rng.choice(["o.a = i.a", "o.c = i.c", "o.a = i.a AND o.c = i.c", "o.k = i.n"])
    # A full join is given equalities only: engines differ in what else they can do.
    if kind != "FULL JOIN" and rng.random() < 0.3:
        condition += " AND o.x < i.z"
    on = "" if kind == "CROSS JOIN" else f" ON {condition}"
    selected = named([maker.any(2) for _ in range(rng.randrange(1, 4))])
    return f"SELECT {selected} FROM orders o {kind} items i{on}{where(maker, 0.5)}", False


def windowed(rng):
    table = rng.choice(list(TABLES))
    maker = Maker(rng, scope_of(table))
    windows = [maker.window(UNIQUE[table]) for _ in range(rng.randrange(1, 3))]
    return f"SELECT {named([UNIQUE[table], *windows])} FROM {table}{where(maker, 0.4)}", False


def united(rng):
    kinds = [rng.choice(list(SQL_TYPES)) for _ in range(rng.randrange(1, 3))]
    sides = []
    for table in ("orders", "items"):
        maker = Maker(rng, scope_of(table))
        sides.append(f"SELECT {named(maker.make(kind, 1) for kind in kinds)} FROM {table}{where(maker, 0.4)}")
    return f" {rng.choice(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT'])} ".join(sides), False


def nested(rng):
    maker = Maker(rng, scope_of("orders", "o."))
    inner = Maker(rng, scope_of("items", "i."))
    condition = rng.choice(
        [
            lambda: f"o.a {rng.choice(['', 'NOT '])}IN (SELECT i.a FROM items i{where(inner)})",
            lambda: f"{rng.choice(['', 'NOT '])}EXISTS (SELECT 1 FROM items i WHERE i.a = o.a AND {inner.make('Bool', 1)})",
            lambda: f"o.x > (SELECT avg(i.z) FROM items i{where(inner)})",
            lambda: "o.a = (SELECT max(i.a) FROM items i WHERE i.c = o.c)",
        ]
    )()
    return f"SELECT {named(['o.k', maker.any(2)])} FROM orders o WHERE {condition}", False


def common(rng):
    maker = Maker(rng, scope_of("orders"))
    outer = Maker(rng, [("c", "String"), ("total", "Int64"), ("mean", "Double")])
    inside = f"SELECT c, sum({maker.make('Int64', 1)}) AS total, avg(x) AS mean FROM orders{where(maker)} GROUP BY c"
    return f"WITH sums AS ({inside}) SELECT {named([outer.any(2), outer.any(2)])} FROM sums{where(outer, 0.5)}", False


def sorted_and_cut(rng):
    table = rng.choice(list(TABLES))
    maker = Maker(rng, scope_of(table))
    direction = lambda: rng.choice(["", " DESC", " ASC"]) + rng.choice([" NULLS FIRST", " NULLS LAST"])
    # The unique column last, so that no order is left open.
    order = f"{maker.column('Int64')}{direction()}, {maker.column('Double')}{direction()}, {UNIQUE[table]}"
    cut = f" LIMIT {rng.randrange(0, 8)}" + rng.choice(["", f" OFFSET {rng.randrange(0, 4)}"])
    return f"SELECT {named([UNIQUE[table], maker.any(2)])} FROM {table}{where(maker)} ORDER BY {order}{cut}", True


SHAPES = [plain, plain, grouped, grouped, joined, windowed, united, nested, common, sorted_and_cut]


def as_json(value):
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    return value


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--cases", type=int, default=300)
    arguments = arguments.parse_args()
    rng = random.Random(arguments.seed)
    made = refused = 0
    while made < arguments.cases:
        tables = make_tables(rng)
        connection = duckdb.connect()
        connection.execute("SET TimeZone = 'UTC'")
        for table, columns in TABLES.items():
            types = ", ".join(f"{name} {SQL_TYPES[kind]}" for name, kind in columns.items())
            connection.execute(f"CREATE TABLE {table} ({types})")
            for row in tables[table]:
                connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", list(row.values()))
        written = {
            table: {"columns": TABLES[table], "rows": [{name: as_json(value) for name, value in row.items()} for row in rows]}
            for table, rows in tables.items()
        }
        print(json.dumps({"tables": written}))
        for _ in range(min(50, arguments.cases - made)):
            sql, ordered = rng.choice(SHAPES)(rng)
            try:
                rows = connection.execute(sql).fetchall()
            except duckdb.Error as error:
                refused += 1
                if refused > 20 + arguments.cases // 10:
                    sys.exit(f"DuckDB refuses too many statements, the last one {sql}: {error}")
                continue
            print(json.dumps({"sql": sql, "ordered": ordered, "rows": [[as_json(value) for value in row] for row in rows]}))
            made += 1


main()
