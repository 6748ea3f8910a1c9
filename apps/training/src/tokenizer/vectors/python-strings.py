"""
Records what Python's `str` and Jinja make of texts, for chat templates that are rendered here as they are there.

Run with Python 3.11 and Jinja2 3.1: python python-strings.py > python-strings.json
"""

import json
import random
import sys
import unicodedata

from jinja2.sandbox import ImmutableSandboxedEnvironment

SAFE = [code for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
# Later versions of Unicode assign more.
ASSIGNED = [code for code in SAFE if unicodedata.category(chr(code)) != "Cn"]


def ranges(codes):
    found = []
    for code in codes:
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def tables():
    """Sets that JavaScript has no name for."""
    return {
        "whitespace": ranges(code for code in SAFE if chr(code).isspace()),
        "lineBreaks": ranges(code for code in SAFE if len(f"a{chr(code)}b".splitlines()) == 2),
        "digits": ranges(code for code in SAFE if chr(code).isdigit() and not chr(code).isdecimal()),
        "numerics": ranges(code for code in SAFE if chr(code).isnumeric() and not chr(code).isdigit()),
        "titles": {chr(code): chr(code).title() for code in SAFE if chr(code).title() != chr(code).upper()},
    }


TEXTS = [
    "",
    " a b ",
    "\ufeff a \ufeff",
    "\x1c\x1d\x1e\x1f x \x85 y \xa0\u3000",
    "a\x0b\x0cb\r\nc\rd\n\ne\u2028f\u2029g\x85h\x1ci\x1dj\x1ek",
    "hello wORLD it's they're o'neill",
    "ǆ ǅ Ǆ ß ﬁ ŉ ΰ ß",
    "ΟΔΥΣΣΕΥΣ ΣΑΣ Σ aΣ' Σa",
    "İstanbul ıI",
    "½ ² ① 三 ٣ x٣ 1",
    "²",
    "½",
    "①",
    "٣٤",
    "  ٣_٤  ",
    "1_000",
    "+12",
    "-0012 ",
    "1e3",
    "12.75",
    "0x1f",
    "inf",
    "naïve café 🦊🦊 e\u0301",
    "one--two[three](four){five}<six>",
    "tabs\tand\nlines\n",
    "ᾳ ᾼ ᾀ",
    "<think>hm</think>answer</think>",
    "aXbXc",
]
EXPRESSIONS = [
    "s|trim", "s|trim('a ')", "s|upper", "s|lower", "s|title", "s|capitalize", "s|length", "s|list|join('|')", "s|first", "s|last",
    "s|reverse", "s|indent", "s|indent(2, true)", "s|indent(1, false, true)", "s|indent(width=3, first=true)", "s|replace('a', 'b')", "s|replace('', '-')", "s|replace('X', 'y', 1)",
    "s|int", "s|int(7)", "s|float", "s|float(0.5)", "s|wordcount", "s|center(20)", "s|string", "s|count",
    "s.strip()", "s.lstrip()", "s.rstrip()", "s.strip('a\\n')", "s.lstrip('<')", "s.rstrip('>')", "s.strip(none)",
    "s.split()|join('|')", "s.split(none, 1)|join('|')", "s.split(' ')|join('|')", "s.split('X', 1)|join('|')", "s.split('</think>')[-1]", "s.split(maxsplit=1)|join('|')", "s.split(sep='X')|join('|')",
    "s.rsplit()|join('|')", "s.rsplit(none, 1)|join('|')", "s.rsplit('X', 1)|join('|')", "s.splitlines()|join('|')", "s.splitlines(true)|join('|')",
    "s.title()", "s.capitalize()", "s.upper()", "s.lower()", "s.swapcase()",
    "s.isdigit()", "s.isdecimal()", "s.isnumeric()", "s.isalpha()", "s.isalnum()", "s.isspace()", "s.islower()", "s.isupper()", "s.istitle()", "s.isascii()",
    "s is lower", "s is upper",
    "s.startswith('a')", "s.startswith(('a', ' '))", "s.endswith('\\n')", "s.startswith('b', 1)", "s.endswith('b', 0, 2)",
    "s.find('a')", "s.rfind('a')", "s.find('🦊')", "s.find('a', 2)", "s.find('a', -3)", "s.count('a')", "s.count('')",
    "s.replace('a', 'bb')", "s.replace('a', 'b', 1)", "s.replace('', '-')", "s.replace('$', '$&')", "s.replace('a', '$&')",
    "s.partition('X')|join('|')", "s.rpartition('X')|join('|')", "s.removeprefix('a')", "s.removesuffix('c')",
    "'-'.join(s.split())", "s.zfill(8)", "s.center(12, '*')", "s.ljust(6, '.')", "s.rjust(6)", "s.expandtabs(4)",
    "s[0]", "s[-1]", "s[1:3]", "s[::-1]", "s[:-1]", "s[10:]",
    "s ~ 'x'", "'a' in s", "s == s.strip()", "(s|trim)|length",
]


def render(environment, expression, text):
    try:
        return environment.from_string("{{ " + expression + " }}").render(s=text)
    except Exception as error:  # noqa: BLE001
        return {"error": type(error).__name__}


def main():
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    random.seed(7)
    odd = [chr(code) for low, high in tables()["whitespace"] for code in range(low, high + 1)] + list("\ufeff\u200b\u180eaZß²½٣🦊.\n")
    texts = TEXTS + ["".join(random.choice(odd) for _ in range(random.randrange(1, 12))) for _ in range(30)]
    texts += ["".join(chr(random.choice(ASSIGNED)) for _ in range(random.randrange(1, 8))) for _ in range(60)]
    cases = [[text, [render(environment, expression, text) for expression in EXPRESSIONS]] for text in texts]
    json.dump({"tables": tables(), "expressions": EXPRESSIONS, "cases": cases}, sys.stdout, ensure_ascii=True, separators=(",", ":"))


main()
