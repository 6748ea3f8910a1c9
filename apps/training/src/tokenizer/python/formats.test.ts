import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compileChatTemplate } from '../chat-template.ts'

/** Recorded from Python by `python-formats.py` beside it: a template, and what it writes. */
const { cases } = JSON.parse(readFileSync(new URL('../vectors/python-formats.json', import.meta.url), 'utf8')) as {
  cases: [string, string | { error: string }][]
}

/** The values of the script; what follows this is written from there on. */
const values =
  "{% set f = 2.0 %}{% set l = [1.0, 2, 'a', none, true] %}{% set m = {'a': 1.0, 'b': 'x'} %}{% set big = 1234567 %}" +
  '{% set s = "naïve 🦊" %}{% set i = 42 %}{% set n = -7 %}{% set g = -3.14159 %}{% set tiny = 0.00001 %}{{ "" }}'

const exact = [
  ['{{ "%.2f" % 0.125 }} {{ 0.125 | round(2) }} {{ 2.675 | round(2) }}', '0.12 0.12 2.67'],
  ['{{ 1e16 }} {{ 1e22 }} {{ 123456789012345678901234567890 + 1 }} {{ 7 // 2.0 }}', '1e+16 1e+22 123456789012345678901234567891 3.0'],
  ['{{ (1,) }} {{ () }} {{ (1, 2) }} {{ {1: 2, (1,): none} }}', '(1,) () (1, 2) {1: 2, (1,): None}'],
  ['{{ "%e %g %G" % (12345.678, 1e-7, 1e20) }}', '1.234568e+04 1e-07 1E+20'],
]

test.each([...cases, ...exact] as typeof cases)('%j is written as under Python', (template, expected) => {
  const render = () => compileChatTemplate({ source: values + template, path: 'x', tokens: {}, now: () => new Date(0) })({ messages: [] })
  if (typeof expected === 'string') expect(render()).toBe(expected)
  else expect(render).toThrow()
})
