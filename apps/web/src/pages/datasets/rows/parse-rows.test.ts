import { stringifyJson } from '@heddle/json/exact'
import { decodeText, detectEncoding } from '@heddle/text-files'
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { parseRows } from './parse-rows.ts'

test('CSV gives a row a record, with cells as text', () => {
  expect(parseRows('a.csv', '\uFEFFid,answer\r\n007,"yes, ""sure"""\r\n8,"two\nlines"\r\n')).toEqual({
    status: 'parsed',
    format: 'CSV',
    rows: [
      { id: '007', answer: 'yes, "sure"' },
      { id: '8', answer: 'two\nlines' },
    ],
  })
})

test('JSON lines and lists keep the types of values', () => {
  const rows = [{ a: 1, b: [true] }, { a: null }]
  expect(parseRows('a.jsonl', rows.map((row) => JSON.stringify(row)).join('\n\n'))).toMatchObject({ rows, format: 'JSON lines' })
  expect(parseRows('A.JSON', JSON.stringify(rows))).toMatchObject({ rows, format: 'JSON' })
})

test('numbers of JSON stay as they are written', () => {
  const line = '{"tweet_id":1234567890123456789,"score":1.0,"share":0.50,"zero":-0,"huge":1e400}'
  for (const [name, text] of [
    ['a.jsonl', line],
    ['a.json', `[${line}]`],
  ] as const) {
    const parsed = parseRows(name, text)
    expect(parsed.status === 'parsed' && stringifyJson(parsed.rows)).toBe(`[${line}]`)
  }
})

test('rows of JSON lines in UTF-16 are read with their digits', () => {
  const line = '{"id":9007199254740993,"text":"\u65e5\u672c"}'
  const bytes = new Uint8Array(Buffer.from(`\uFEFF${line}\r\n`, 'utf16le'))
  const parsed = parseRows('rows.jsonl', decodeText(bytes, detectEncoding(bytes)).text)
  expect(parsed.status === 'parsed' && stringifyJson(parsed.rows)).toBe(`[${line}]`)
})

test('a file of one column keeps what other files have as separators', () => {
  expect(parseRows('a.csv', 'question\nWhat is a; b; c?\nx; y; z\n')).toMatchObject({
    rows: [{ question: 'What is a; b; c?' }, { question: 'x; y; z' }],
  })
})

test('a separator that is chosen wins over the one that fits', () => {
  expect(parseRows('a.csv', 'a;b,c\n1;2,3', ';')).toMatchObject({ rows: [{ a: '1', 'b,c': '2,3' }] })
  expect(parseRows('a.tsv', 'a\tb\n1\t2')).toMatchObject({ rows: [{ a: '1', b: '2' }] })
})

test.each([
  ['a.txt', 'a', '"a.txt" ends with none of'],
  ['a.csv', '', 'the file holds no rows'],
  ['a.csv', 'a,b\n', 'the file holds no rows'],
  ['a.csv', 'a,a\n1,2', 'two columns are named "a"'],
  ['a.csv', 'a,\n1,2', 'column 2 has no name'],
  ['a.csv', 'a,b\n1,2\n3', 'record 3 has 1 cells, but the first line names 2 columns'],
  ['a.csv', 'a,b\n1,"2', 'Quoted field unterminated'],
  ['a.jsonl', '{"a":1}\n{"a":', 'line 2 is not JSON'],
  ['a.jsonl', '{"a":1}\n1.0', 'line 2 is a number, but each row must be a JSON object'],
  ['a.jsonl', '{"a":1}\n[1]', 'line 2 is a list, but each row must be a JSON object'],
  ['a.json', '{"a":1}', 'the file holds an object'],
  ['a.json', '[{"a":1},null]', 'element 2 is null'],
])('%s with %j is refused: %s', (name, text, problem) => {
  expect(parseRows(name, text)).toMatchObject({ status: 'refused', problem: expect.stringContaining(problem) })
})

test('what is written as CSV is read back', () => {
  const cell = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''))
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }), (records) => {
      // A record of empty cells is an empty line to programs that write CSV.
      const filled = records.map(([one, other]) => [`x${one}`, other] as const)
      const text = Papa.unparse({ fields: ['one', 'other'], data: filled.map((record) => [...record]) }, { quotes: true })
      expect(parseRows('a.csv', text)).toMatchObject({ rows: filled.map(([one, other]) => ({ one, other })) })
    }),
  )
})
