import { readFileSync } from 'node:fs'
import { parseJson } from '@heddle/json'
import { expect, test } from 'vitest'
import { fromJson } from './from-json.ts'
import { parseTemplate } from './parse.ts'
import { renderTemplate } from './render.ts'

interface Group {
  /** The name under which templates see the value of a case. */
  name: string
  expressions: string[]
  /** A value, and what each expression writes of it. */
  cases: [unknown, (string | { error: string })[]][]
}

/** Recorded from Python by `python-filters.py` beside it. */
const { groups } = parseJson(readFileSync(new URL('../vectors/python-filters.json', import.meta.url))) as { groups: Group[] }

const recorded = groups.flatMap(({ name, expressions, cases }) =>
  expressions.map((expression, at) => ({ name, expression, results: cases.map(([value, written]) => [value, written[at]!] as const) })),
)

test.each(recorded)('{{ $expression }} is written as under Python, and refused where it is there', ({ name, expression, results }) => {
  const parsed = parseTemplate(`{{ ${expression} }}`)
  const differing = results.flatMap(([value, expected]): object[] => {
    try {
      const written = renderTemplate(parsed, new Map([[name, fromJson(value)]]))
      return written === expected ? [] : [{ value, expected, written }]
    } catch (error) {
      return typeof expected === 'string' ? [{ value, expected, error }] : []
    }
  })
  expect(differing).toEqual([])
})

test.each(["['a', 'b'] | random", '[] | random', "{% if 'random' is filter %}{{ 'ab' | random }}{% endif %}"])(
  'a prompt that depends on chance is refused by the name of its filter: %s',
  (source) => {
    const template = source.startsWith('{%') ? source : `{{ ${source} }}`
    expect(() => renderTemplate(parseTemplate(template), new Map())).toThrow("filter 'random'")
  },
)

test.each([
  ["'a'.encode('utf-7')", 'encoding "utf-7"'],
  ["'a'.encode().split()", 'method split of bytes'],
])('what is not supported is refused by name: %s', (expression, name) => {
  expect(() => renderTemplate(parseTemplate(`{{ ${expression} }}`), new Map())).toThrow(name)
})
