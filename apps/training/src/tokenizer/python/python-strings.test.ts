import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, inject, test } from 'vitest'
import { parseTemplate } from '../jinja/parse.ts'
import { renderTemplate } from '../jinja/render.ts'
import { isDecimal, isDigit, isNumeric, isSpace, title } from './case.ts'
import { split, splitLines, strip } from './strings.ts'

/** Each pair: the first and last code point of a range. */
type Ranges = [number, number][]

/** Recorded from Python by `python-strings.py` beside it. */
const { tables, expressions, cases } = JSON.parse(readFileSync(new URL('../vectors/python-strings.json', import.meta.url), 'utf8')) as {
  tables: Record<'whitespace' | 'lineBreaks' | 'digits' | 'numerics', Ranges> & { titles: Record<string, string> }
  expressions: string[]
  /** A text, and what each expression writes of it as `s`. */
  cases: [string, (string | { error: string })[]][]
}

const holds = (ranges: Ranges, code: number) => ranges.some(([first, last]) => code >= first && code <= last)
const toText = (ranges: Ranges) =>
  ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)))

test('templates write what they write under Python, for the recorded methods and filters of texts', () => {
  const differing: unknown[] = []
  for (const [index, expression] of expressions.entries()) {
    const parsed = parseTemplate(`{{ ${expression} }}`)
    for (const [text, results] of cases) {
      const expected = results[index]!
      try {
        const written = renderTemplate(parsed, new Map([['s', text]]))
        if (written !== expected) differing.push({ expression, text, expected, written })
      } catch (error) {
        if (typeof expected === 'string') differing.push({ expression, text, expected, error })
      }
    }
  }
  expect(differing).toEqual([])
  expect(cases.length * expressions.length).toBeGreaterThan(10_000)
})

test('white space, ends of lines, digits and title case are those of Python', () => {
  const codes = Array.from({ length: inject('long') ? 0x110000 : 0x3000 }, (_, code) => code).filter(
    (code) => code < 0xd800 || code > 0xdfff,
  )
  const differing = codes.filter((code) => {
    const character = String.fromCodePoint(code)
    return (
      isSpace(character) !== holds(tables.whitespace, code) ||
      (splitLines(`a${character}b`, false).length === 2) !== holds(tables.lineBreaks, code) ||
      (isDigit(character) && !isDecimal(character)) !== holds(tables.digits, code) ||
      (isNumeric(character) && !isDigit(character)) !== holds(tables.numerics, code) ||
      (Object.hasOwn(tables.titles, character) && title(character) !== tables.titles[character])
    )
  })
  expect(differing.map((code) => code.toString(16))).toEqual([])
})

test('a text is stripped and split at the recorded white space and nowhere else, whatever else is in it', () => {
  const spaces = toText(tables.whitespace)
  const piece = fc.oneof(fc.constantFrom(...spaces, '\ufeff', '\u200b', '\u180e', '½', '²'), fc.string({ unit: 'binary', maxLength: 2 }))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const characters = Array.from(text)
      const isSpaceAt = (at: number) => spaces.includes(characters[at]!)
      let [from, to] = [0, characters.length]
      while (from < to && isSpaceAt(from)) from += 1
      while (to > from && isSpaceAt(to - 1)) to -= 1
      expect(strip(text, null, 'both')).toBe(characters.slice(from, to).join(''))
      const words = characters.map((character) => (spaces.includes(character) ? '\n' : character === '\n' ? '\n' : character)).join('')
      expect(split(text, null, -1)).toEqual(words.split('\n').filter((word) => word !== ''))
    }),
    { numRuns: inject('long') ? 20_000 : 500 },
  )
})

test.each([
  "'x'.center(99999999)",
  's.ljust(99999999)',
  's|indent(99999999)',
  "s.replace('', s * 9)",
  "'\\t'.expandtabs(99999999)",
  's.zfill(99999999)',
  "(s * 9).split('a')",
])('a text may not become longer than texts may be: %s', (expression) => {
  const render = () => renderTemplate(parseTemplate(`{{ ${expression.replace('s * 9', 's')} }}`), new Map([['s', 'ab'.repeat(1_000)]]))
  expect(render).not.toThrow(RangeError)
})

test.each([
  [`'aaa'.rsplit('aa')`, "['a', '']"],
  [`'aaaaa'.rsplit('aa', 1)`, "['aaa', '']"],
  [`'xaaay'.rsplit('aa')`, "['xa', 'y']"],
  [`'abab a'.rsplit('ab')`, "['', '', ' a']"],
  [`'a'.rsplit('aa')`, "['a']"],
  [`'a b c'.rsplit(' ', 0)`, "['a b c']"],
  [`['ab', ('c', 'd e')] | urlencode`, 'a=b&c=d+e'],
  [`{'a': 'b c'}.items() | urlencode`, 'a=b+c'],
])('{{ %s }} is %s', (expression, written) => {
  expect(renderTemplate(parseTemplate(`{{ ${expression} }}`), new Map())).toBe(written)
})
