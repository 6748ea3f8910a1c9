"""
Random small chat templates, and what Jinja writes of them in the environment of the Transformers library.

`python random_templates.py COUNT SEED` writes them as JSON: [template, text or null for an error] each, with the values that they see.
"""

import copy
import json
import random
import sys

from transformers.utils.chat_template_utils import _compile_jinja_template

VALUES = {
    "s": "naïve 🦊  <b>\n two",
    "t": "a,b;c",
    "empty": "",
    "i": 42,
    "neg": -7,
    "big": 123456789012345678901234567890,
    "f": 2.0,
    "g": -3.125,
    "huge": 1e16,
    "tiny": 1e-05,
    "yes": True,
    "no": False,
    "nil": None,
    "l": [3, 1.5, 2, 2],
    "words": ["b", "A", "c", "ab"],
    "d": {"name": "add", "n": 1.0, "items": [1, 2], "_x": 1, "k.e": None},
    "people": [{"name": "Zoe", "age": 3}, {"name": "adam", "age": 1.5, "tags": ["x"]}, {"name": "Bob", "age": 3}],
    "messages": [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1.0, "ü": [None, True]}}}]},
        {"role": "tool", "content": "[1]"},
    ],
}
NAMES = [*VALUES, "unknown", "x"]
LITERALS = [
    "0", "1", "-1", "2", "10", "1_000", "0x1F", "0b101", "0o17", "3.5", "1.0", "0.1", "1e3", "1E-7", "2.5e+2", "'a'", '"b"', "''", "'a' 'b'", r"'\n'", r"'\x41\u00e9'", r"'\d'",
    r"'é\é'", r'"\""', "'%s'", "'-%}'", "'}}'", "'{{'", "true", "false", "none", "True", "None", "[]", "{}", "()", "[1, 'a', none]", "{'a': 1, 2: 'b', none: 1.0}", "(1,)", "(1, 2)", "[[1], [2]]",
]  # fmt: skip
ATTRIBUTES = ["name", "age", "items", "n", "_x", "role", "content", "tool_calls", "upper", "get", "append", "pop", "keys", "0", "missing", "index"]
KEYS = ["'name'", "'k.e'", "0", "1", "-1", "'missing'", "1:", ":1", "::2", "::-1", "-2:", ":-1", "1:2", "5", "none", "i", "'items'"]
# Of an expression without names, Jinja takes a slice when it compiles it, by another rule.
ITEMS = ["'name'", "0", "1", "-1", "'missing'", "5", "none", "i"]
METHODS = [
    "upper()", "strip()", "split()", "split(',')", "split(',', 1)", "rsplit(';', 1)", "splitlines()", "title()", "replace('a', 'b')", "replace('a', 'b', 1)", "startswith('a')", "startswith(('n', 'a'))",
    "endswith(t)", "find('b')", "join(words)", "items()", "keys()", "values()", "get('name')", "get('none', 1)", "get(1)", "count('a')", "index('b')", "isdigit()", "zfill(8)", "format(i, s)",
    "partition(',')", "lstrip('n')", "copy()", "center(9, '*')", "removeprefix('a')", "count(2)", "index(2)", "isidentifier()", "isprintable()", "encode()", "encode('ascii', 'replace')", "translate({97: 'b', 32: none})", "maketrans('a', 'b')",
]  # fmt: skip
FILTERS = [
    "upper", "lower", "title", "capitalize", "trim", "trim('a')", "length", "count", "list", "first", "last", "reverse", "reverse | list", "sort", "sort(reverse=true)", "sort(attribute='age')",
    "sort(attribute='age,name')", "sort(case_sensitive=true)", "join", "join(',')", "join(', ', attribute='name')", "join(d='-')", "int", "int(5)", "int(base=16)", "float", "float(1.5)", "round", "round(1)",
    "round(1, 'floor')", "round(-1)", "abs", "string", "tojson", "tojson(indent=2)", "tojson(indent=0)", "tojson(ensure_ascii=true)", "tojson(separators=(',', ':'))", "tojson(sort_keys=true)",
    "tojson(indent=2, separators=(';', '='))", "default('x')", "default('x', true)", "d(1)", "d", "map('upper') | list", "map(attribute='name') | list", "map(attribute='tags', default='z') | join('|')", "map(attribute='0') | list",
    "map('int') | sum", "map('default', 'y') | list", "select | list", "select('odd') | list", "select('gt', 1) | list", "reject('none') | list", "reject('equalto', 2) | list", "selectattr('age') | list",
    "selectattr('age', 'equalto', 3) | list", "selectattr('name', 'in', ['Bob']) | list", "rejectattr('tags', 'defined') | list | length", "selectattr('role', '==', 'user') | first", "sum", "sum(attribute='age')", "sum(start=1.5)",
    "min", "max", "min(attribute='age')", "max(case_sensitive=true)", "unique | list", "unique(attribute='age') | map(attribute='name') | list", "groupby('age') | list", "groupby('age') | map('first') | list", "groupby('name', case_sensitive=true) | list | length",
    "batch(2) | list", "batch(3, 'z') | list", "slice(2) | list", "slice(3, 'z') | list", "dictsort", "dictsort(reverse=true)", "dictsort(by='value')", "items | list", "indent", "indent(2, true)", "indent(width='> ')", "replace('a', 'X')",
    "replace(2, 3)", "center(20)", "wordcount", "truncate(5)", "truncate(9, true, '…', 0)", "e", "escape", "safe", "forceescape", "urlencode", "format(1)", "wordwrap(9)", "wordwrap(4, false)", "striptags", "urlize", "pprint", "filesizeformat", "filesizeformat(true)", "truncate(2)", "attr('name')", "attr('upper')", "tojson | upper", "e ~ '<'", "string | length",
]  # fmt: skip
TESTS = [
    "defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "mapping", "iterable", "sequence", "callable", "true", "false", "odd", "even", "divisibleby 2", "divisibleby(3)", "lower", "upper", "equalto 2", "eq 'a'", "== 2",
    "in [1, 2, 'a']", "in s", "ne none", "gt 1", "ge 2.0", "lt 3", "le i", "sameas none", "sameas true", "escaped", "filter", "test",
]  # fmt: skip
OPERATORS = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "in", "not in", "and", "or"]
# A power of large numbers does not end, and those with a fraction differ between C libraries in their last digit.
SMALL = ["i", "2", "3", "f", "yes", "neg", "nil"]
SIGNS = ["", "", "", "-", "+"]
TEXTS = ["", " ", "\n", "a", "  \n", "\n  ", " b ", "\t", "}", "{", "% }", "ü\n", "\x1c \n", "\u00a0\n ", "\r\n", "x\n\n  y "]


class Writer:
    """Writes templates by chance. The same seed gives the same ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def choice(self, values):
        return self.random.choice(values)

    def expression(self, depth=2):
        if depth <= 0 or self.random.random() < 0.2:
            return self.choice(NAMES) if self.random.random() < 0.7 else self.choice(LITERALS)
        inner = lambda: self.expression(depth - 1)  # noqa: E731
        kinds = [
            lambda: f"{inner()} {self.choice(OPERATORS)} {inner()}",
            lambda: f"({inner()}) {self.choice(OPERATORS)} ({inner()})",
            lambda: f"{inner()} | {self.choice(FILTERS)}",
            lambda: f"{self.choice(NAMES)} | {self.choice(FILTERS)}",
            lambda: f"({inner()}) | {self.choice(FILTERS)} | {self.choice(FILTERS)}",
            lambda: f"{inner()} is {self.choice(['', 'not '])}{self.choice(TESTS)}",
            lambda: f"{self.choice(NAMES)}.{self.choice(ATTRIBUTES)}",
            lambda: f"{self.choice(NAMES)}[{self.choice(KEYS)}]",
            lambda: f"({inner()})[{self.choice(ITEMS)}]",
            lambda: f"{self.choice(NAMES)}.{self.choice(METHODS)}",
            lambda: f"({inner()}).{self.choice(METHODS)}",
            lambda: f"{self.choice(['not ', '-', '+'])}{inner()}",
            lambda: f"{inner()} if {inner()} else {inner()}",
            lambda: f"({inner()} if {inner()})",
            lambda: f"[{inner()}, {inner()}]",
            lambda: f"({inner()}, {inner()})",
            lambda: "{" + f"'a': {inner()}, {self.choice(LITERALS)}: {inner()}" + "}",
            lambda: f"{inner()} < {inner()} <= {inner()}",
            lambda: f"{self.choice(SMALL)} ** {self.choice(SMALL)}",
            lambda: f"range({self.choice(['3', '1, 4', '5, 0, -2', 'i', ''])}){self.choice(['', ' | list', '[1]', ' | sum'])}",
            lambda: f"dict({self.choice(['', 'd', 'a=1, b=2', 'd, n=2', '[(1, 2)]'])})",
            lambda: f"'{self.choice(['%s', '%d', '%05.1f', '%r', '%x', '%-5s|', '%e', '%g', '%%', '%s %s'])}' % {inner()}",
            lambda: f"'{self.choice(['{}', '{:>8}', '{:.2f}', '{:,}', '{!r}', '{:05d}', '{:x}', '{:e}', '{:g}', '{:.3}', '{:+}', '{0}{0}', '{a}', '{:_}', '{:%}', '{} {0}', '{0} {}'])}'.format({inner()})",
        ]
        return self.choice(kinds)()

    def output(self, depth):
        return "{{" + self.choice(["", "", "-", "+"]) + f" {self.expression(depth)} " + self.choice(["", "", "-"]) + "}}"

    def tag(self, content):
        return "{%" + self.choice(SIGNS) + f" {content} " + self.choice(SIGNS) + "%}"

    def text(self):
        return self.choice(TEXTS)

    def body(self, depth):
        return "".join(self.text() + self.statement(depth - 1) for _ in range(self.random.randrange(1, 4))) + self.text()

    def statement(self, depth):
        if depth <= 0 or self.random.random() < 0.4:
            return self.output(2)
        expression, body = self.expression, lambda: self.body(depth)
        kinds = [
            lambda: self.tag(f"if {expression(1)}") + body() + self.choice(["", self.tag("else") + body(), self.tag(f"elif {expression(1)}") + body()]) + self.tag("endif"),
            lambda: self.tag(f"for x in {expression(1)}") + body() + self.loop() + self.choice(["", self.tag("else") + body()]) + self.tag("endfor"),
            lambda: self.tag(f"for x in {self.choice(['l', 'words', 'people', 'messages', 'range(4)'])} if {expression(1)}") + self.loop() + body() + self.tag("endfor"),
            lambda: self.tag(f"for x, y in {self.choice(['d.items()', 'd | dictsort', '[(1, 2), [3, 4]]', 'l', 'people | groupby(' + repr('age') + ')'])}") + "{{ x }}:{{ y }}" + body() + self.tag("endfor"),
            lambda: self.tag("for x in [1, 2, 3, 4]") + self.tag(f"if x == {self.choice('1234')}") + self.tag(self.choice(["break", "continue"])) + self.tag("endif") + "{{ x }}" + self.tag("endfor"),
            lambda: self.tag("for x in [[1, [2]], [3]] recursive") + "({{ x if x is number else loop(x) }}{{ loop.depth }})" + self.tag("endfor"),
            lambda: self.tag(f"set x = {expression(2)}") + body() + "{{ x }}",
            lambda: self.tag(f"set x, y = {expression(1)}, {expression(1)}") + "{{ x }}{{ y }}",
            lambda: self.tag(f"set x{self.choice(['', ' | upper', ' | trim | length'])}") + body() + self.tag("endset") + "[{{ x }}]",
            lambda: self.tag(f"set ns = namespace(a={expression(1)}, c=0)") + self.tag("for x in [1, 2]") + self.tag("set ns.c = ns.c + x") + self.tag("set y = x") + self.tag("endfor") + "{{ ns.c }}{{ ns.a }}{{ y }}{{ ns.b }}",
            lambda: self.tag(f"macro m(a, b={expression(1)})") + "<{{ a }}|{{ b }}>" + body() + self.tag("endmacro") + "{{ m(" + self.choice(["", "1", "1, 2", "b=3", "1, c=2", "1, 2, 3", "*[1, 2]", "**{'a': none}", "none"]) + ") }}",
            lambda: self.tag("macro m()") + "{{ varargs }}{{ kwargs }}" + self.tag("endmacro") + "{{ m(1, 2, z=3) }}{{ m.name }}{{ m.arguments }}",
            lambda: self.tag("macro m(a)") + "({{ caller(a) }}{{ x }})" + self.tag("endmacro") + self.tag(f"call{self.choice(['', '(v)', '(v, w=2)'])} m({expression(1)})") + "{{ v }}{{ w }}" + body() + self.tag("endcall"),
            lambda: self.tag(f"filter {self.choice(['upper', 'trim', 'replace(' + repr('a') + ', ' + repr('b') + ')', 'indent(2) | title'])}") + body() + self.tag("endfilter"),
            lambda: self.tag(f"with x = {expression(1)}, y = x") + "{{ x }}{{ y }}" + body() + self.tag("endwith"),
            lambda: self.tag("raw") + self.choice(["{{ x }}", " {% if %} ", "\n {# \n"]) + self.tag("endraw"),
            lambda: "{#" + self.choice(SIGNS) + self.choice([" note ", "\n", "{{ x", "-", ""]) + self.choice(SIGNS) + "#}",
            lambda: self.tag("generation") + self.tag("set x = 9") + body() + self.tag("endgeneration") + "{{ x }}",
        ]  # fmt: skip
        return self.choice(kinds)()

    def loop(self):
        parts = ["loop.index", "loop.index0", "loop.first", "loop.last", "loop.length", "loop.revindex", "loop.previtem", "loop.nextitem", "loop.cycle('a', 'b')", "loop.changed(x)", "loop.depth", "x"]
        return "{{ " + self.choice(parts) + " }}"

    def template(self):
        return self.body(self.random.randrange(1, 4))


def render(template):
    """The text, or null for an error. Nothing where it depends on addresses in memory."""
    try:
        text = _compile_jinja_template(template).render(**copy.deepcopy(VALUES))
    except Exception:  # noqa: BLE001
        return None
    return text


def depends_on_addresses(text):
    return text is not None and (" at 0x" in text.lower() or "<built-in" in text.lower() or "<bound" in text or "object at" in text)


def cases(count, seed):
    """At most a third of them are errors."""
    writer, errors = Writer(seed), count // 3
    while count > 0:
        template = writer.template()
        text = render(template)
        if len(template) > 2_000 or depends_on_addresses(text) or (text is not None and len(text) > 5_000):
            continue
        if text is None:
            if errors == 0:
                continue
            errors -= 1
        count -= 1
        yield [template, text]


def main():
    count, seed = (int(argument) for argument in sys.argv[1:])
    json.dump({"values": VALUES, "cases": list(cases(count, seed))}, sys.stdout, ensure_ascii=True, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()
