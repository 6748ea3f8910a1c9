"""
Records what Jinja makes of texts and values by the filters and methods that few templates use, for chat templates that are rendered here as they are there.

Run with Python 3.11 and Jinja2 3.1: python python-filters.py > python-filters.json
"""

import json
import random
import sys

from jinja2.sandbox import ImmutableSandboxedEnvironment

# As the Transformers library makes it.
ENVIRONMENT = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])

OF_TEXTS = [
    "s|wordwrap", "s|wordwrap(10)", "s|wordwrap(5, false)", "s|wordwrap(7, true, '|')", "s|wordwrap(12, break_on_hyphens=false)", "s|wordwrap(1)", "s|wordwrap(3, wrapstring='')", "s|wordwrap(0)", "s|wordwrap(break_on_hyphens=1, width=6)",
    "s|striptags", "s|safe|striptags", "s|e|striptags", "s|striptags|length",
    "s|urlize", "s|urlize(10)", "s|urlize(8, true)", "s|urlize(nofollow=true, target='_blank')", "s|urlize(rel='z a a')", "s|urlize(extra_schemes=['tel:', 'ftp://'])", "s|urlize(extra_schemes=['x'])", "s|e|urlize", "s|urlize(-2)",
    "s|pprint", "[s, s]|pprint", "{'a': s, 'b': [s]}|pprint", "(s,)|pprint",
    "s|filesizeformat", "s.isidentifier()", "s.isprintable()", "s.encode()", "s.encode('ascii', 'ignore')", "s.encode('ascii', 'replace')", "s.encode('latin-1', 'xmlcharrefreplace')", "s.encode('ascii', 'backslashreplace')", "s.encode('ascii')",
    "s.encode()|length", "s.encode()[:3]", "s.encode()[0]", "s.encode().decode()", "s.encode()|list", "s.encode().hex()", "s.encode() == s.encode('utf-8')", "s.encode()|pprint", "s.encode()|string",
    "s.translate({97: 'A', 98: none})", "s.translate(s.maketrans('abc', 'xyz'))", "s.translate(''.maketrans('ab', 'é🦊', ' -'))", "s.maketrans({'a': 1, 98: 'x'})", "s.translate(s.maketrans({'a': 'long', ' ': none}))", "s.translate('abc')", "s.translate([1, 2])", "s.maketrans('a', 'bc')",
    "s|truncate(2)", "s|truncate(3)", "s|truncate(2, end='')", "s|truncate(4, true, '….', 0)", "s|truncate(5, leeway=-1)", "s|truncate(0, end='')",
    "s.format(1, 2)", "('{} {0}' ~ s).format(1, 2)",
]  # fmt: skip
VALUES = [
    "{} {0}", "{0} {}", "{} {a} {}", "{a} {0}", "{} {}", "{0} {1} {0}",
]  # fmt: skip
FORMATS = [f"'{text}'.format(1, 2, a=3)" for text in VALUES]
OF_NUMBERS = ["n|filesizeformat", "n|filesizeformat(true)", "n|filesizeformat(binary=false)", "n|pprint", "[n, n]|pprint"]
NUMBERS = [0, 1, -1, 2, 999, 1000, 1001, 1023, 1024, 1025, 1049, 1050, 1150, 1500, 99999, 999949, 999950, 10**6, 1024**2, 123456789, 10**12, 5 * 10**15, 10**18, 2**70, 10**24, 10**27, 10**30, 1.0, 0.5, 1.5, -2500.7, 1e300, "12", "1e4", "x", True, None, [1]]
OF_VALUES = ["v|pprint", "{'key': v, 'other': v}|pprint", "[v, 'x' * 70]|pprint", "v|wordwrap", "v|striptags", "v|urlize", "v|truncate(2)"]
TEXTS = [
    "", " ", "a", "ab", "abc", "hello world", "The quick brown fox jumped over the lazy dog, twice", "well-known state-of-the-art e-mail a-b x--y -- z --long --option end-- --", "a\n\nb  c\n   d\n", "  leading and trailing  ", "averyveryverylongwordthatdoesnotfit and-one-more-long-hyphenated-word",
    "------------", "-a-b-c-d-e-f-g-", "naïve café 🦊🦊 e\u0301 日本語テキスト 汉字-汉字", "tab\tand\x0bvertical\x0cfeed\x1cfs\x85nel\xa0nbsp\u2028ls", "\xa0\xa0\xa0\xa0\xa0\xa0\xa0\xa0", "it's \"quoted\" & 'single'", "\\ back \x00 nul \x7f \xad", "_x1 x1 1x é ª º ℘ ゛",
    "<p>Main &raquo;\t<em>About</em></p>", "<!-- a <b> --> x <!<!-- y -->-- z --> w", "<!-- open <b>x</b>", "a < b > c <d", "<<a>>b<c>", "&amp;&lt;&gt;&quot;&#39;&#x41;&#X42;&#0;&#128;&#x110000;&#55296;&#11;&#xfdd0;", "&notit; &notin; &amp &ampx &copy2 &unknown; &ThickSpace; &nGt; &#; &#x; & & a&b", "<script>alert('x')</script>  \n y",
    "see https://example.com/a?b=c&d=e#f, (http://x.org) and www.test.co.uk.", "mail me@example.com or mailto:you@example.org! @not a@b @a@b.c", "<https://example.com> (www.a.bc/(x)) &lt;www.b.de&gt; https://example.com/a_(b)).", "example.com example.net/path sub.example.org:8080 example.xyz http://127.0.0.1:80/x https://[::1]/ http://[fe80::1]:8080/", "HTTP://EXAMPLE.COM Www.Example.Com tel:123 ftp://files.example.com tel: x:y", "http:// https://a http://localhost https://xn--bcher-kva.xn--p1ai/ é.com https://日本.jp/", "a@b.c, d@e.f). mailto:x mailto:a@b.c?cc=d&e",
]  # fmt: skip
WORDS = ["a", "be", "-", "--", "well-known", "x-", "-y", "a--b", "https://e.com", "<b>", "</b>", "<!--", "-->", "&amp;", "&lt", "&#65;", "e@f.gh", "(", ")", ".", ",", "'", '"', "é", "🦊", "汉字", "ß", "1", "12", "_", "\n", "\t", "\xa0", "\x1c", "&gt;", "www.x.yz", "longlonglongword"]
JSON_VALUES = [
    None, True, 3, 2.5, [], {}, [1, 2, 3], {"b": 1, "a": 2}, {"z": {"y": {"x": [1, 2.0, "three", None, True]}}}, [[1, 2, 3] * 12], {"k" * 40: "v" * 50, "a": list(range(40))}, ["word " * 30], {"text": "line one\nline two is rather longer\n" * 4}, [{"role": "user", "content": "hello " * 20}, {"role": "assistant", "content": ""}],
    {"type": "function", "function": {"name": "get_weather", "description": "Get the weather of a place, in words and numbers", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "City and country"}, "unit": {"enum": ["c", "f"]}}, "required": ["city"]}}},
    [[[[["deep " * 10] * 2]]]], ["x" * 100], {"long key " * 12: ["a", "b"]}, ["it's", 'say "hi"', "both ' and \" " * 6, "\u00e9\u0301🦊" * 30], {"": ""}, [""] * 30, {"a": "  " * 45},
]  # fmt: skip


def render(expression, values):
    try:
        return ENVIRONMENT.from_string("{{ " + expression + " }}").render(**values)
    except Exception as error:  # noqa: BLE001
        return {"error": type(error).__name__}


def value_by_chance(depth):
    kind = random.randrange(8 if depth > 0 else 5)
    if kind < 2:
        return "".join(random.choice(WORDS) + random.choice(["", " ", " "]) for _ in range(random.randrange(0, 25)))
    if kind == 2:
        return random.choice([0, -7, 1.5, 1e20, True, False, None, 12345678901234567890])
    if kind < 5:
        return "w" * random.randrange(0, 60)
    if kind == 5:
        return {random.choice([word for word in WORDS if not word.isdigit()]) * random.randrange(1, 4): value_by_chance(depth - 1) for _ in range(random.randrange(0, 6))}
    return [value_by_chance(depth - 1) for _ in range(random.randrange(0, 6))]


def main():
    random.seed(11)
    texts = TEXTS + ["".join(random.choice(WORDS) + random.choice(["", "", " ", "  "]) for _ in range(random.randrange(1, 14))) for _ in range(90)]
    values = JSON_VALUES + [value_by_chance(4) for _ in range(120)]
    groups = [("s", OF_TEXTS, texts), ("n", OF_NUMBERS, NUMBERS), ("v", OF_VALUES, values), ("s", FORMATS, [""])]
    recorded = [
        {"name": name, "expressions": expressions, "cases": [[value, [render(each, {name: value}) for each in expressions]] for value in given]}
        for name, expressions, given in groups
    ]
    json.dump({"groups": recorded}, sys.stdout, ensure_ascii=True, separators=(",", ":"))


main()
