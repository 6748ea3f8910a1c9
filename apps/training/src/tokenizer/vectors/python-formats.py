"""
Records what Jinja makes of formats, numbers and white space around tags, for chat templates that are rendered here as they are there.

Run with Python 3.11 and Jinja2 3.1: python python-formats.py > python-formats.json
"""

import json

from jinja2.sandbox import ImmutableSandboxedEnvironment

# As the Transformers library makes it.
ENVIRONMENT = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
VALUES = {"s": "naïve 🦊", "i": 42, "n": -7, "f": 2.0, "g": -3.14159, "big": 1234567, "tiny": 0.00001, "l": [1.0, 2, "a", None, True], "m": {"a": 1.0, "b": "x"}}

TEMPLATES = [
    "{{ 1.0 }}", "{{ 1.0 * 3 }}", "{{ 7 / 2 }}", "{{ 4 / 2 }}", "{{ 0.1 + 0.2 }}", "{{ f }}", "{{ i + f }}", "{{ l }}", "{{ m }}", "{{ tiny }}", "{{ i * 1.5 }}",
    "{{ -7 % 3 }}", "{{ 7 % 3 }}", "{{ n % 3 }}", "{{ 7 // 2 }}", "{{ n // 2 }}", "{{ 3 | float }}", "{{ f | int }}", "{{ [1.0, 2] | join(',') }}", "{{ f | string }}", "{{ f ~ '' }}",
    "{{ 2.5 | round }}", "{{ 3.5 | round }}", "{{ g | round(2) }}", "{{ i | round }}", "{{ 2.1 | round(0, 'ceil') }}", "{{ 2.9 | round(0, 'floor') }}",
    "{{ '%s' % s }}", "{{ '%s-%d' % (s, i) }}", "{{ '%s' % f }}", "{{ '%r' % s }}", "{{ '%5d|%-5d|%05d|%+d|% d' % (i, i, i, i, i) }}", "{{ '%.2f|%8.3f|%-8.1f|%08.2f' % (g, g, g, g) }}",
    "{{ '%x|%X|%o|%%' % (255, 255, 8) }}", "{{ '%(a)s and %(b)s' % m }}", "{{ '%.3s|%10s|%-10s|' % (s, s, s) }}", "{{ '%d' % f }}", "{{ '%f' % i }}",
    "{{ '%s: %d' | format(s, i) }}", "{{ '%.1f' | format(g) }}", "{{ '%(x)s' | format(x=1.0) }}",
    "{{ '{}-{}'.format(i, s) }}", "{{ '{0}{1}{0}'.format('a', f) }}", "{{ '{a} {b}'.format(a=1.0, b=l) }}", "{{ '{{{}}}'.format(i) }}", "{{ '{:>8}|{:<8}|{:^8}|{:*^9}'.format(s, s, s, s) }}",
    "{{ '{:5}|{:05}|{:+}|{: }|{:,}'.format(i, i, i, i, big) }}", "{{ '{:.2f}|{:8.1f}|{:08.3f}|{:,.2f}|{:.1%}'.format(g, g, g, big, 0.256) }}", "{{ '{:x}|{:X}|{:o}|{:b}'.format(255, 255, 8, 5) }}",
    "{{ '{!r}|{!s}'.format(s, s) }}", "{{ '{:.3}'.format(s) }}", "{{ '{}'.format(f) }}", "{{ '{}'.format(l) }}", "{{ '{:>6}'.format(f) }}",
    "{{ 'Straße ΣΑΣ İı ẞ ﬁ ŉ Ꭰ ꭰ'.casefold() }}", "{{ s.casefold() }}",
    "a\n  {%- if true %}\n  b\n  {%- endif %}\nc", "a\n  {% if true -%}\n  b\n  {% endif -%}\nc", "a\n  {% if true %}\n  b\n  {% endif %}\nc", "  {{- s -}}  x", "  {{ s }}\n x",
    "a\n{#- note -#}\n b", "a\n  {# note #}\n b", "a\u00a0\n{%- if true %}b{% endif %}", "x\x1c {{- 'a' -}} \x1cy", "x\ufeff {{- 'a' -}} \ufeffy", "\n\n{{ 'a' }}\n\n", "a\r\n{%- if true %}b{% endif %}\r\nc",
    "{% for x in [1, 2] -%}\n  {{ x }}\n{% endfor %}\nend", "{% for x in [1, 2] %}{{ x }}\n{%- endfor %}", "a\n\t{% set a = 1 %}\n\tb", "a {% set x = 1 -%} \n\n b",
]


def render(template):
    try:
        return ENVIRONMENT.from_string(template).render(**VALUES)
    except Exception as error:
        return {"error": type(error).__name__}


json.dump({"values": {**VALUES, "f": {"float": 2.0}, "l": None, "m": None}, "cases": [[template, render(template)] for template in TEMPLATES]}, __import__("sys").stdout, ensure_ascii=True, indent=0)
print()
