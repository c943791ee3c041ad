"""Makes value models and says what Python's eval thinks of them.

Prints JSON lines: a table ({"inputs": ...}) and, behind it, its cases ({"value": ..., "expected": [...]}), one number
as a text per row: 0.0 where Python raises or the result is not finite, and null where a whole number left 64 bits on
the way, which is where siftwren goes on with a float. Floats are texts, so that every bit arrives.

    python value_oracle.py --seed 1 --cases 1000
"""

import argparse
import ast
import json
import math
import random

ROWS = 30
NOW = 1_780_000_000.0
WORDS = ["linen", "wool", "", "Linen", "größe", "it's", "a\\b"]
OR, AND, NOT, COMPARE, SUM, PRODUCT, SIGN, POWER, ATOM = range(9)
CHOICE = -1

FLOATS = ["ctr", "cvr", "item.margin", "user.taste", "retrieval.get_score('cf')"]
RANKS = ["retrieval.get_rank('new')"]
INTS = ["item.stock", "item._derived_popular_rank", "user.age_days", "item.created_at"]
BOOLS = ["item.in_stock", "user.is_member"]
TEXTS = ["item.brand", "user.country"]
NUMBER_LISTS = ["item.ratings", "item.sizes"]
TEXT_LISTS = ["item.tags", "user.recent_interactions"]

ONE = [
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "asinh", "acosh", "atanh", "fabs", "ceil", "floor", "trunc", "degrees", "radians", "erf", "erfc", "gamma",
    "lgamma", "cbrt", "exp2", "ulp", "abs",
]
ONE = [name for name in ONE if name == "abs" or hasattr(math, name)]
# Two libraries may differ in the last digit of these, which a sine or a floor around them would blow up.
OUTERMOST = ["gamma", "lgamma", "erf", "erfc", "asinh", "acosh", "atanh", "cbrt"]
TWO = ["atan2", "copysign", "fmod", "remainder", "pow", "hypot", "log", "nextafter"]
WHOLE = ["gcd", "lcm", "comb", "perm"]


class TooWide(Exception):
    """A whole number of more than 64 bits: not compared."""


class Plain:
    def __init__(self, **values):
        self.__dict__.update(values)


class Retrieval:
    def __init__(self, scores, ranks):
        self.scores, self.ranks = scores, ranks

    def get_score(self, step):
        return self.scores[step]

    def get_rank(self, step):
        return self.ranks[step]


def narrow(value):
    """Whole numbers beyond 64 bits are where the two differ by design."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise TooWide
    return value


def power(base, exponent):
    if isinstance(base, int) and isinstance(exponent, int) and exponent > 0:
        if exponent * max(base.bit_length(), 1) > 4_096 and abs(base) > 1:
            raise TooWide
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("complex")
    return narrow(result)


def limited(function):
    """Python would compute numbers with millions of digits."""

    def call(*arguments, **named):
        if function in (math.comb, math.perm, math.factorial) and any(abs(value) > 2_000 for value in arguments):
            raise TooWide
        return function(*arguments, **named)

    return call


def cube_root(x):
    """The C library's is not exact for cubes, and what rounds it afterwards would differ by one."""
    root = math.cbrt(x)
    return float(round(root)) if math.isfinite(root) and round(root) ** 3 == x else root


class Watch(ast.NodeTransformer):
    """Looks at every number on the way."""

    def wrapped(self, node):
        self.generic_visit(node)
        name = ast.Name("__narrow", ast.Load())
        return ast.Call(name, [node], [])

    def visit_BinOp(self, node):
        if isinstance(node.op, ast.Pow):
            self.generic_visit(node)
            return ast.Call(ast.Name("__power", ast.Load()), [node.left, node.right], [])
        return self.wrapped(node)

    def visit_UnaryOp(self, node):
        return self.wrapped(node)

    def visit_Call(self, node):
        return self.wrapped(node)


ENVIRONMENT = {name: limited(value) for name, value in vars(math).items() if callable(value)}
ENVIRONMENT.update({name: value for name, value in vars(math).items() if isinstance(value, float)})
ENVIRONMENT.update(
    {"min": min, "max": max, "abs": abs, "sum": sum, "len": len, "now_seconds": lambda: NOW}
)
ENVIRONMENT["cbrt"] = cube_root
ENVIRONMENT.update({"__narrow": narrow, "__power": power, "__builtins__": {}})


class Maker:
    def __init__(self, rng, depth):
        self.rng, self.depth = rng, depth

    def at(self, made, tight):
        text, own = made
        if own < tight or self.rng.random() < 0.1:
            return f"({text})"
        return text

    def pick(self, *choices):
        return self.rng.choice(choices)()

    def number(self, depth):
        return self.pick(lambda: self.float(depth), lambda: self.float(depth), lambda: self.whole(depth))

    def leaf(self, names):
        return self.rng.choice(names), ATOM

    def float(self, depth):
        rng = self.rng

        def literal():
            return rng.choice(["0.5", "1.5", ".25", "2.", "1e-3", "1_000.5", "3.0", "0.0", "1e300", "pi", "e", "tau"]), ATOM

        def one():
            argument = self.number(depth - 1)[0]
            names = ONE if depth == self.depth else [name for name in ONE if name not in OUTERMOST]
            return f"{rng.choice(names)}({argument})", ATOM

        def two():
            function = rng.choice(TWO)
            return f"{function}({self.number(depth - 1)[0]}, {self.number(depth - 1)[0]})", ATOM

        def divided():
            sign = rng.choice(["/", "/", "//", "%"])
            left, right = self.number(depth - 1), self.number(depth - 1)
            return f"{self.at(left, PRODUCT)} {sign} {self.at(right, PRODUCT + 1)}", PRODUCT

        def listed():
            function = rng.choice(["sum", "min", "max", "fsum", "prod"])
            return f"{function}({self.numbers(depth - 1)})", ATOM

        def points():
            size = rng.randint(1, 3)
            left, right = (", ".join(self.number(0)[0] for _ in range(size)) for _ in range(2))
            return f"dist([{left}], [{right}])", ATOM

        def scaled():
            return f"ldexp({self.number(depth - 1)[0]}, {rng.choice(['3', '-2', 'user.age_days', '2000'])})", ATOM

        leaves = [literal, lambda: self.leaf(FLOATS), lambda: self.leaf(FLOATS), lambda: ("now_seconds()", ATOM)]
        if rng.random() < 0.1:
            return self.leaf(RANKS)
        if depth <= 0:
            return self.pick(*leaves)
        return self.pick(
            *leaves[:2], self.arithmetic(depth, self.float), self.arithmetic(depth, self.number), one, one, two, divided,
            listed, points, scaled, self.power(depth), self.choice(depth, self.number), self.logic(depth),
            self.sign(depth, self.float), self.several(depth),
        )

    def arithmetic(self, depth, make):
        def made():
            sign, tight = self.rng.choice([("+", SUM), ("-", SUM), ("*", PRODUCT)])
            parts = [self.at(make(depth - 1), tight)]
            for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
                parts.append(self.at(make(depth - 1), tight + 1))
            return f" {sign} ".join(parts), tight

        return made

    def several(self, depth):
        def made():
            entries = ", ".join(self.number(depth - 1)[0] for _ in range(self.rng.randint(2, 4)))
            return f"{self.rng.choice(['min', 'max', 'hypot'])}({entries})", ATOM

        return made

    def power(self, depth):
        def made():
            base, exponent = self.number(depth - 1), self.rng.choice([self.number(depth - 1), ("2", ATOM), ("-1", SIGN), ("0.5", ATOM)])
            return f"{self.at(base, ATOM)} ** {self.at(exponent, SIGN)}", POWER

        return made

    def sign(self, depth, make):
        def made():
            return f"{self.rng.choice('-+')}{self.at(make(depth - 1), SIGN)}", SIGN

        return made

    def choice(self, depth, make):
        def made():
            then, otherwise = make(depth - 1), make(depth - 1)
            test = self.truth(depth - 1)
            return f"{self.at(then, OR)} if {self.at(test, OR)} else {self.at(otherwise, CHOICE)}", CHOICE

        return made

    def logic(self, depth):
        def made():
            name, tight = self.rng.choice([("and", AND), ("or", OR)])
            terms = [self.at(self.number(depth - 1), tight + 1) for _ in range(self.rng.randint(2, 3))]
            return f" {name} ".join(terms), tight

        return made

    def whole(self, depth):
        rng = self.rng

        def literal():
            return rng.choice(["0", "1", "2", "3", "7", "0x1f", "1_000", "42", "9223372036854775807"]), ATOM

        def divided():
            left, right = self.whole(depth - 1), self.whole(depth - 1)
            return f"{self.at(left, PRODUCT)} {rng.choice(['//', '%'])} {self.at(right, PRODUCT + 1)}", PRODUCT

        def rounded():
            return f"{rng.choice(['floor', 'ceil', 'trunc'])}({self.float(depth - 1)[0]})", ATOM

        def named():
            return f"{rng.choice(WHOLE)}({self.whole(depth - 1)[0]}, {self.whole(depth - 1)[0]})", ATOM

        def counted():
            return f"{rng.choice(['factorial', 'isqrt'])}({self.whole(depth - 1)[0]})", ATOM

        def length():
            return f"len({rng.choice([rng.choice(NUMBER_LISTS + TEXT_LISTS + TEXTS), '[1, 2]'])})", ATOM

        if depth <= 0:
            return self.pick(literal, lambda: self.leaf(INTS), lambda: self.leaf(BOOLS))
        return self.pick(
            literal, lambda: self.leaf(INTS), self.arithmetic(depth, self.whole), divided, rounded, named, counted, length,
            self.sign(depth, self.whole), self.choice(depth, self.whole), lambda: self.truth(depth - 1),
        )

    def numbers(self, depth):
        rng = self.rng
        if rng.random() < 0.5:
            return rng.choice(NUMBER_LISTS)
        return "[" + ", ".join(self.number(depth)[0] for _ in range(rng.randint(1, 4))) + "]"

    def text(self):
        rng = self.rng
        if rng.random() < 0.5:
            return rng.choice(TEXTS), ATOM
        word = rng.choice(WORDS)
        return repr(word), ATOM

    def truth(self, depth):
        rng = self.rng

        def compared():
            parts = [self.at(self.number(depth - 1), SUM)]
            for _ in range(rng.choice([1, 1, 2, 3])):
                sign = rng.choice(["==", "!=", "<", "<=", ">", ">="])
                parts += [sign, self.at(self.number(depth - 1), SUM)]
            return " ".join(parts), COMPARE

        def texts():
            parts = [self.text()[0]]
            for _ in range(rng.choice([1, 1, 2])):
                parts += [rng.choice(["==", "!=", "<", ">=", "in", "not in"]), self.text()[0]]
            return " ".join(parts), COMPARE

        def member():
            no = rng.choice(["in", "not in"])
            if rng.random() < 0.5:
                entries = rng.choice([rng.choice(TEXT_LISTS), "['linen', 'wool']", "('x', 'größe')", "[item.brand, 'x']"])
                return f"{self.text()[0]} {no} {entries}", COMPARE
            return f"{self.at(self.number(depth - 1), SUM)} {no} {self.numbers(depth - 1)}", COMPARE

        def negated():
            return f"not {self.at(self.truth(depth - 1), NOT)}", NOT

        def joined():
            name, tight = rng.choice([("and", AND), ("or", OR)])
            terms = [self.at(self.truth(depth - 1), tight + 1) for _ in range(rng.randint(2, 3))]
            return f" {name} ".join(terms), tight

        def asked():
            return f"{rng.choice(['isfinite', 'isnan', 'isinf'])}({self.number(depth - 1)[0]})", ATOM

        def close():
            return f"isclose({self.number(depth - 1)[0]}, {self.number(depth - 1)[0]}, rel_tol=0.1)", ATOM

        if depth <= 0:
            return self.pick(lambda: self.leaf(BOOLS), lambda: (rng.choice(["True", "False"]), ATOM))
        return self.pick(compared, compared, texts, member, negated, joined, asked, close, lambda: self.leaf(BOOLS))


def table(rng):
    def several(make):
        return [make() for _ in range(ROWS)]

    def number():
        return rng.choice([0.0, 0.5, 1.0, -1.0, 0.25, 3.0, rng.uniform(-2, 5), rng.uniform(-100, 100)])

    def whole():
        return rng.choice([0, 1, 2, 3, -1, 12, rng.randint(-20, 200)])

    inputs = {}
    for name in FLOATS:
        inputs[name] = ("float", several(number))
    for name in RANKS:
        inputs[name] = ("float", several(lambda: float(rng.randint(1, 50)) if rng.random() < 0.7 else float("inf")))
    for name in INTS:
        inputs[name] = ("int", several(whole))
    inputs["item.created_at"] = ("time", several(lambda: rng.randint(1_700_000_000, 1_780_000_000)))
    for name in BOOLS:
        inputs[name] = ("bool", several(lambda: rng.random() < 0.5))
    for name in TEXTS:
        inputs[name] = ("text", several(lambda: rng.choice(WORDS)))
    inputs["item.ratings"] = ("list float", several(lambda: [number() for _ in range(rng.choice([0, 1, 2, 3]))]))
    inputs["item.sizes"] = ("list int", several(lambda: [whole() for _ in range(rng.choice([0, 1, 2, 3]))]))
    for name in TEXT_LISTS:
        inputs[name] = ("list text", several(lambda: [rng.choice(WORDS) for _ in range(rng.choice([0, 1, 2, 3]))]))
    for name, (_, values) in inputs.items():
        if name.startswith("user."):
            values[:] = [values[0]] * ROWS
    return inputs


def row_of(inputs, row):
    """NULLs never come here: they count as 0 before anything is computed."""
    parts = {"item": {}, "user": {}}
    environment = dict(ENVIRONMENT)
    for name, (_, values) in inputs.items():
        entity, _, column = name.partition(".")
        if entity in parts:
            parts[entity][column] = values[row]
        elif entity != "retrieval":
            environment[name] = values[row]
    environment["item"], environment["user"] = Plain(**parts["item"]), Plain(**parts["user"])
    environment["retrieval"] = Retrieval(
        {"cf": inputs["retrieval.get_score('cf')"][1][row]}, {"new": inputs["retrieval.get_rank('new')"][1][row]}
    )
    return environment


def expected(code, environment):
    try:
        result = float(narrow(eval(code, environment)))
    except TooWide:
        return None
    except (ArithmeticError, ValueError):
        return "0.0"
    return repr(result) if math.isfinite(result) else "0.0"


def as_json(inputs):
    def plain(value):
        if isinstance(value, float):
            return repr(value)
        return [plain(entry) for entry in value] if isinstance(value, list) else value

    return {name: {"type": kind, "values": plain(values)} for name, (kind, values) in inputs.items()}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--cases", type=int, default=300)
    arguments = arguments.parse_args()
    rng = random.Random(arguments.seed)
    made = 0
    while made < arguments.cases:
        inputs = table(rng)
        rows = [row_of(inputs, row) for row in range(ROWS)]
        print(json.dumps({"inputs": as_json(inputs), "now": NOW}))
        for _ in range(50):
            if made >= arguments.cases:
                break
            made += 1
            depth = rng.choice([1, 2, 2, 3, 3, 4])
            text = Maker(rng, depth).number(depth)[0]
            tree = ast.fix_missing_locations(Watch().visit(ast.parse(text, mode="eval")))
            code = compile(tree, "value", "eval")
            print(json.dumps({"value": text, "expected": [expected(code, row) for row in rows]}))


main()
