"""Makes filters and says what DuckDB thinks of them.

Prints JSON lines: a table ({"columns": ...}) and, behind it, its cases ({"filter": ..., "expected": [...]}), one truth
or null per row. Floats are texts, so that every bit arrives. The same seed gives the same lines.

    python filter_oracle.py --seed 1 --cases 1000

Each filter is made as a tree and written twice: for siftwren with as few brackets as its precedence allows, and for
DuckDB with all of them and with what makes an error a NULL (TRY, TRY_CAST, NULLIF).
"""

import argparse
import json
import random
import sys

import duckdb

ROWS = 40
WORDS = ["linen", "cotton", "Linen", "wool", "a%b", "a_b", "größe", "", "it's", "x", "42", "-3.5", "true", "silk road"]
TEXT_COLUMNS = ["brand", "colour"]
FLOAT_COLUMNS = ["price", "weight"]
INT_COLUMNS = ["stock", "views"]
BOOL_COLUMNS = ["in_stock", "sale"]
TIME_COLUMNS = ["created_at", "seen_at"]
LISTS = {"tags": "text", "labels": "text", "sizes": "int", "shades": "int", "ratings": "float"}
SQL_TYPES = {"text": "VARCHAR", "int": "BIGINT", "float": "DOUBLE", "bool": "BOOLEAN", "time": "TIMESTAMP"}

# How tight each form binds; an operand that binds less tight than its place needs brackets.
OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, ATOM = range(8)


class Text:
    """What siftwren reads with how tight it binds, and what DuckDB reads."""

    def __init__(self, ours, theirs, tight=ATOM):
        self.ours, self.theirs, self.tight = ours, theirs, tight

    def at(self, tight, rng):
        """For a place that wants something at least this tight; sometimes with brackets that are not needed."""
        if self.tight < tight or rng.random() < 0.1:
            return f"({self.ours})"
        return self.ours


def quote(text, rng):
    ours = "'" + text.replace("'", "''") + "'"
    if rng.random() < 0.3:
        ours = '"' + text.replace('"', '""') + '"'
    return Text(ours, "'" + text.replace("'", "''") + "'")


def word(name, rng):
    """Keywords in either case."""
    return rng.choice([name, name.lower()])


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def pick(self, *choices):
        return self.rng.choice(choices)()

    # Values.

    def integer(self, depth):
        rng = self.rng

        def literal():
            number = rng.choice([0, 1, 2, 3, 7, 10, 42, 100, -1, -5, 2**31, 2**53, 2**63 - 1, -(2**63)])
            return Text(str(number), f"({number})::BIGINT", ATOM if number >= 0 else SIGN)

        def column():
            name = rng.choice(INT_COLUMNS)
            return Text(name, name)

        def arithmetic():
            left, right = self.integer(depth - 1), self.integer(depth - 1)
            sign = rng.choice(["+", "-", "*", "%"])
            return self.join(sign, left, right)

        def negated():
            inner = self.integer(depth - 1)
            # DuckDB makes a wider number of the least one; here it has no value.
            theirs = f"TRY(0::BIGINT - ({inner.theirs}))"
            return Text("-" + self.after_minus(inner), theirs, SIGN)

        def cast():
            inner = self.pick(lambda: self.float(depth - 1), lambda: self.text(depth - 1), lambda: self.boolean(depth - 1))
            name = rng.choice(["BIGINT", "INTEGER", "SMALLINT"])
            return Text(f"CAST({inner.ours} AS {name})", f"(TRY_CAST({inner.theirs} AS {name}))::BIGINT")

        if depth <= 0:
            return self.pick(literal, column, column)
        return self.pick(literal, column, column, arithmetic, arithmetic, negated, cast)

    def after_minus(self, inner):
        ours = inner.at(SIGN, self.rng)
        return f"({ours})" if ours.startswith("-") else ours

    def join(self, sign, left, right):
        tight = SUM if sign in "+-" else PRODUCT
        ours = f"{left.at(tight, self.rng)} {sign} {right.at(tight + 1, self.rng)}"
        divisor = f"NULLIF({right.theirs}, 0)" if sign in "/%" else right.theirs
        return Text(ours, f"TRY(({left.theirs}) {sign} ({divisor}))", tight)

    def float(self, depth):
        rng = self.rng

        def literal():
            number = rng.choice([0.0, 0.5, 1.5, 2.5, -0.5, 9.99, 1e3, 1e-3, 40.0, 1e300, 3.0])
            return Text(repr(number), f"({number!r})::DOUBLE", ATOM if number >= 0 else SIGN)

        def column():
            name = rng.choice(FLOAT_COLUMNS)
            return Text(name, name)

        def arithmetic():
            left, right = self.number(depth - 1), self.float(depth - 1)
            if rng.random() < 0.5:
                left, right = right, left
            return self.join(rng.choice(["+", "-", "*", "%"]), left, right)

        def divided():
            return self.join("/", self.number(depth - 1), self.number(depth - 1))

        def negated():
            inner = self.float(depth - 1)
            return Text("-" + self.after_minus(inner), f"(-({inner.theirs}))", SIGN)

        def cast():
            inner = self.pick(lambda: self.integer(depth - 1), lambda: self.text(depth - 1))
            name = rng.choice(["DOUBLE", "double", "FLOAT"])
            return Text(f"CAST({inner.ours} AS {name})", f"TRY_CAST({inner.theirs} AS DOUBLE)")

        if depth <= 0:
            return self.pick(literal, column, column)
        return self.pick(literal, column, column, arithmetic, arithmetic, divided, negated, cast)

    def number(self, depth):
        return self.pick(lambda: self.integer(depth), lambda: self.float(depth))

    def text(self, depth):
        rng = self.rng

        def column():
            name = rng.choice(TEXT_COLUMNS)
            return Text(name, name)

        def cast():
            inner = self.pick(
                lambda: self.number(depth - 1),
                lambda: self.boolean(depth - 1),
                lambda: Text("created_at", "created_at"),
            )
            # DuckDB shows the sign of a NaN, which nothing else tells apart.
            return Text(f"CAST({inner.ours} AS VARCHAR)", f"REPLACE(TRY_CAST({inner.theirs} AS VARCHAR), '-nan', 'nan')")

        if depth <= 0 or rng.random() < 0.7:
            return self.pick(lambda: quote(rng.choice(WORDS), rng), column, column)
        return cast()

    def time(self, depth):
        rng = self.rng

        def column():
            name = rng.choice(TIME_COLUMNS)
            return Text(name, name)

        def date():
            name = rng.choice(TIME_COLUMNS)
            return Text(f"CAST({name} AS DATE)", f"({name}::DATE)::TIMESTAMP")

        def literal():
            moment = self.moment()
            return Text(f"TIMESTAMP '{moment}'", f"TIMESTAMP '{moment}'")

        return self.pick(column, column, date, literal)

    def moment(self):
        rng = self.rng
        day = f"20{rng.randint(20, 27):02}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        return rng.choice([day, f"{day} {rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}"])

    def null(self):
        return Text("NULL", "NULL")

    def maybe_null(self, make):
        return self.null() if self.rng.random() < 0.04 else make()

    # Conditions.

    def boolean(self, depth):
        rng = self.rng

        def leaf():
            def column():
                name = rng.choice(BOOL_COLUMNS)
                return Text(name, name)

            def constant():
                value = rng.choice(["TRUE", "FALSE", "NULL"])
                return Text(word(value, rng), f"{value}::BOOLEAN")

            return self.pick(column, column, column, constant)

        if depth <= 0:
            return leaf()

        def joined():
            name, tight = rng.choice([("AND", AND), ("OR", OR)])
            terms = [self.boolean(depth - 1) for _ in range(rng.randint(2, 3))]
            # The first may be of the same kind without brackets: both group from the left.
            parts = [terms[0].at(tight, rng)] + [term.at(tight + 1, rng) for term in terms[1:]]
            joint = f" {word(name, rng)} "
            return Text(joint.join(parts), f" {name} ".join(f"({term.theirs})" for term in terms), tight)

        def negated():
            inner = self.boolean(depth - 1)
            return Text(f"{word('NOT', rng)} {inner.at(NOT, rng)}", f"NOT ({inner.theirs})", NOT)

        def two(make):
            return make(), self.maybe_null(make)

        def compared():
            make = rng.choice(
                [
                    lambda: self.number(depth - 1),
                    lambda: self.number(depth - 1),
                    lambda: self.text(depth - 1),
                    lambda: self.time(depth - 1),
                    lambda: leaf(),
                ]
            )
            left, right = two(make)
            sign = rng.choice(["=", "!=", "<>", "<", "<=", ">", ">="])
            ours = f"{left.at(SUM, rng)} {sign} {right.at(SUM, rng)}"
            return Text(ours, f"({left.theirs}) {sign} ({right.theirs})", COMPARE)

        def time_and_text():
            name, moment = rng.choice(TIME_COLUMNS), self.moment()
            sign = rng.choice(["=", "<", "<=", ">", ">="])
            return Text(f"{name} {sign} '{moment}'", f"{name} {sign} TIMESTAMP '{moment}'", COMPARE)

        def asked():
            inner = self.pick(lambda: self.boolean(depth - 1), lambda: self.number(depth - 1), lambda: self.text(depth - 1))
            what = "NULL"
            if rng.random() < 0.5:
                inner = self.boolean(depth - 1)
                what = rng.choice(["NULL", "TRUE", "FALSE"])
            no = rng.choice(["", "NOT "])
            # A comparison may be asked about without brackets.
            return Text(f"{inner.at(COMPARE, rng)} IS {no}{word(what, rng)}", f"({inner.theirs}) IS {no}{what}", COMPARE)

        def asked_list():
            name, no = rng.choice(list(LISTS)), rng.choice(["", "NOT "])
            return Text(f"{name} IS {no}NULL", f"{name} IS {no}NULL", COMPARE)

        def is_in():
            make = rng.choice([lambda: self.number(0), lambda: self.text(0), lambda: self.number(1), lambda: self.time(0)])
            value = make()
            entries = [self.maybe_null(make) for _ in range(rng.choice([1, 2, 3, 12]))]
            open_, close = rng.choice(["()", "[]"])
            no = rng.choice(["", "NOT "])
            ours = ", ".join(entry.ours for entry in entries)
            theirs = ", ".join(entry.theirs for entry in entries)
            return Text(
                f"{value.at(SUM, rng)} {no}{word('IN', rng)} {open_}{ours}{close}",
                f"({value.theirs}) {no}IN ({theirs})",
                COMPARE,
            )

        def between():
            make = rng.choice([lambda: self.number(depth - 1), lambda: self.text(0), lambda: self.time(0)])
            value, low, high = make(), self.maybe_null(make), self.maybe_null(make)
            no = rng.choice(["", "NOT "])
            ours = f"{value.at(SUM, rng)} {no}BETWEEN {low.at(SUM, rng)} AND {high.at(SUM, rng)}"
            theirs = f"({value.theirs}) {no}BETWEEN ({low.theirs}) AND ({high.theirs})"
            return Text(ours, theirs, COMPARE)

        def like():
            value, no = self.text(depth - 1), rng.choice(["", "NOT "])
            pattern = "".join(rng.choice(["%", "_", "l", "i", "n", "e", "o", "a", "ö", " ", "."]) for _ in range(rng.randint(0, 5)))
            escape = ""
            if rng.random() < 0.2:
                pattern, escape = pattern + rng.choice(["!%", "!_", "!!"]), " ESCAPE '!'"
            text = Text(f"'{pattern}'", f"'{pattern}'")
            if rng.random() < 0.15:
                name, escape = rng.choice(TEXT_COLUMNS), ""
                text = Text(name, name)
            return Text(
                f"{value.at(SUM, rng)} {no}LIKE {text.ours}{escape}",
                f"({value.theirs}) {no}LIKE {text.theirs}{escape}",
                COMPARE,
            )

        def regexp():
            value = self.text(depth - 1)
            pattern = rng.choice(
                ["n", "^l", "n$", "^linen$", "[a-c]+", "(?i)LINEN", "l.n.n", "^$", "a|w", "[0-9]{2}", "\\.5$", "o{2}", "^.{4,5}$"]
            )
            return Text(f"regexp_match({value.ours}, '{pattern}')", f"regexp_matches({value.theirs}, '{pattern}')")

        def entry(kind, depth):
            if kind == "text":
                return quote(rng.choice(WORDS[:8] + ["x"]), rng) if depth <= 0 or rng.random() < 0.6 else self.text(0)
            return self.number(depth) if kind == "float" else self.integer(depth)

        def has():
            name, kind = rng.choice(list(LISTS.items()))
            if kind != "text" and rng.random() < 0.3:
                kind = "float"
            value = self.maybe_null(lambda: entry(kind, 1))
            return Text(f"array_has({name}, {value.ours})", f"array_has({name}, {value.theirs})")

        def has_several():
            function = rng.choice(["array_has_any", "array_has_all"])
            name, kind = rng.choice(list(LISTS.items()))

            def literal():
                entries = [self.maybe_null(lambda: self.constant(kind)) for _ in range(rng.choice([0, 1, 2, 10]))]
                ours = "[" + ", ".join(entry.ours for entry in entries) + "]"
                theirs = "[" + ", ".join(entry.theirs for entry in entries) + f"]::{SQL_TYPES[kind]}[]"
                return Text(ours, theirs)

            def other():
                other = rng.choice([key for key, value in LISTS.items() if (value == "text") == (kind == "text")])
                return Text(other, other)

            one, two = Text(name, name), self.pick(literal, literal, other)
            if rng.random() < 0.3:
                one, two = two, one
            return Text(f"{function}({one.ours}, {two.ours})", f"{function}({one.theirs}, {two.theirs})")

        return self.pick(
            joined, joined, joined, negated, compared, compared, compared, time_and_text, asked, asked_list,
            is_in, between, like, regexp, has, has_several,
        )

    def constant(self, kind):
        if kind == "text":
            return quote(self.rng.choice(WORDS), self.rng)
        if kind == "int":
            number = self.rng.choice([0, 1, 2, 3, 7, 42])
            return Text(str(number), f"{number}::BIGINT")
        number = self.rng.choice([0.5, 1.0, 2.0, 3.5])
        return Text(repr(number), f"{number!r}::DOUBLE")


def table(rng):
    def maybe(value, chance=0.15):
        return None if rng.random() < chance else value

    def number():
        return rng.choice([0.0, -0.0, 0.5, 1.5, 2.5, -0.5, 9.99, 40.0, 39.999, 1e300, float("nan"), float("inf"), rng.uniform(-50, 100)])

    def whole():
        return rng.choice([0, 1, 2, 3, 7, 42, -1, -7, 100, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), rng.randint(-20, 120)])

    def moment():
        second = rng.randint(1_577_836_800, 1_798_761_600)
        return rng.choice([second, second - second % 86_400])

    def column(kind):
        make = {
            "text": lambda: rng.choice(WORDS),
            "float": number,
            "int": whole,
            "bool": lambda: rng.random() < 0.5,
            "time": moment,
        }[kind]
        return {"type": kind, "values": [maybe(make()) for _ in range(ROWS)]}

    def lists(kind):
        make = {
            "text": lambda: rng.choice(WORDS[:9]),
            "int": lambda: rng.choice([0, 1, 2, 3, 7, 42]),
            "float": lambda: rng.choice([0.5, 1.0, 2.0, 3.5, 42.0]),
        }[kind]
        values = [maybe([maybe(make(), 0.1) for _ in range(rng.choice([0, 1, 2, 3, 5]))]) for _ in range(ROWS)]
        return {"type": f"list {kind}", "values": values}

    columns = {}
    for kind, names in [
        ("text", TEXT_COLUMNS), ("float", FLOAT_COLUMNS), ("int", INT_COLUMNS), ("bool", BOOL_COLUMNS), ("time", TIME_COLUMNS),
    ]:
        columns.update({name: column(kind) for name in names})
    columns.update({name: lists(kind) for name, kind in LISTS.items()})
    return columns


def fill(connection, columns):
    connection.execute("DROP TABLE IF EXISTS rows")
    types = []
    for name, column in columns.items():
        kind = column["type"]
        sql = SQL_TYPES[kind.removeprefix("list ")] + ("[]" if kind.startswith("list ") else "")
        types.append(f"{name} {sql}")
    connection.execute(f"CREATE TABLE rows (row_number INTEGER, {', '.join(types)})")
    places = []
    for column in columns.values():
        places.append("to_timestamp(?)::TIMESTAMP" if column["type"] == "time" else "?")
    insert = f"INSERT INTO rows VALUES (?, {', '.join(places)})"
    for row in range(ROWS):
        connection.execute(insert, [row] + [column["values"][row] for column in columns.values()])


def as_json(columns):
    def plain(value):
        if isinstance(value, float):
            return repr(value)
        if isinstance(value, list):
            return [plain(entry) for entry in value]
        return value

    return {
        name: {"type": column["type"], "values": [plain(value) for value in column["values"]]}
        for name, column in columns.items()
    }


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--cases", type=int, default=300)
    arguments = arguments.parse_args()
    rng = random.Random(arguments.seed)
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    made = 0
    refused = 0
    while made < arguments.cases:
        columns = table(rng)
        fill(connection, columns)
        print(json.dumps({"columns": as_json(columns)}))
        for _ in range(50):
            if made >= arguments.cases:
                break
            maker = Maker(rng)
            text = maker.boolean(rng.choice([1, 2, 2, 3, 4]))
            try:
                rows = connection.execute(f"SELECT ({text.theirs})::BOOLEAN FROM rows ORDER BY row_number").fetchall()
            except duckdb.Error as error:
                # Rare: constants that DuckDB computes while it plans, outside of TRY.
                refused += 1
                if refused > 20 + arguments.cases // 10:
                    sys.exit(f"DuckDB refuses too many filters, the last one {text.theirs}: {error}")
                continue
            made += 1
            print(json.dumps({"filter": text.ours, "theirs": text.theirs, "expected": [row[0] for row in rows]}))
    print(json.dumps({"refused": refused, "version": duckdb.__version__}))


main()
