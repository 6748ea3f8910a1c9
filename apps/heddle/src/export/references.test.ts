import { expect, test } from 'vitest'
import { createReferenceMap, findNamedContents } from './references.ts'

const digest = 'a'.repeat(43)
const other = 'b'.repeat(43)
const row = 'c'.repeat(43)
const otherRow = 'd'.repeat(43)
const table = '1'.repeat(64)
const otherTable = '2'.repeat(64)

const references = createReferenceMap({ from: 'acme/old', to: 'beta/new' })
references.noteVersion('thing', digest, other)
references.noteTable(table, otherTable)
references.noteRow(row, otherRow)

test.each([
  ['"weave:///acme/old/call/1"', '"weave:///beta/new/call/1"'],
  [`"weave:///acme/old/object/thing:${digest}"`, `"weave:///beta/new/object/thing:${other}"`],
  [`"weave:///acme/old/op/thing:${digest}/attr/a"`, `"weave:///beta/new/op/thing:${other}/attr/a"`],
  ['"weave:///acme/old/object/thing:latest"', '"weave:///beta/new/object/thing:latest"'],
  [`"weave:///acme/old/object/else:${digest}"`, `"weave:///beta/new/object/else:${digest}"`],
  [`"weave:///acme/old/table/${table}"`, `"weave:///beta/new/table/${otherTable}"`],
  [
    `"weave:///acme/old/object/thing:${digest}/attr/rows/id/${row}/key/a"`,
    `"weave:///beta/new/object/thing:${other}/attr/rows/id/${otherRow}/key/a"`,
  ],
  [`{"text":"{\\"ref\\":\\"weave:///acme/old/call/1\\"}"}`, `{"text":"{\\"ref\\":\\"weave:///beta/new/call/1\\"}"}`],
])('%s becomes %s', (text, expected) => {
  expect(references.map(text)).toBe(expected)
})

test.each([
  '"weave:///acme/older/call/1"',
  '"weave:///acme/old"',
  '"see weave:///acme/old/call/1"',
  '"weave-trace-internal:///acme/old/call/1"',
])('%s stays', (text) => {
  expect(references.map(text)).toBe(text)
})

test('tables of the project and possible digests of files are found, also in texts that are JSON', () => {
  const named = findNamedContents('acme/old')
  named.read(`{"rows":"weave:///acme/old/table/${table}","other":"weave:///acme/else/table/${otherTable}"}`)
  named.read(`{"files":{"a.txt":"${digest}"},"text":"{\\"file\\":\\"${other}\\"}","short":"${'a'.repeat(42)}"}`)
  expect([...named.tables]).toEqual([table])
  expect([...named.contents]).toEqual([digest, other])
})
