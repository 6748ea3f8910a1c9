import { expect, test } from 'vitest'
import { parseRowInsert, rowInsertStatement } from './row-insert.ts'

const query = "INSERT INTO notes (id, idx) FROM INFILE 'notes/1.rows' FORMAT RowBinary"
const types = new Map([
  ['id', 'String'],
  ['idx', 'JSON(max_dynamic_paths=256)'],
])
const statementFor = (settings: Record<string, string>, statement = query) => {
  const insert = parseRowInsert({ query: statement, settings: new Map(Object.entries(settings)) })
  return insert && rowInsertStatement(insert, { types, path: '/j/notes/1.rows', known: new Map() })
}

test('JSON in binary form goes into its column as it is', () => {
  expect(statementFor({ input_format_binary_read_json_as_string: '0' })).toContain(
    "INSERT INTO notes (id, idx) SELECT id, idx FROM file('/j/notes/1.rows', 'RowBinary', 'id String, idx JSON(max_dynamic_paths=256)') SETTINGS ",
  )
})

test('JSON as text, as an older version left it, is parsed', () => {
  expect(statementFor({ input_format_binary_read_json_as_string: '1' })).toContain(
    "SELECT id, CAST(idx, 'JSON(max_dynamic_paths=256)') FROM file('/j/notes/1.rows', 'RowBinary', 'id String, idx String') SETTINGS ",
  )
})

test('a value that is known is inserted beside the rows, if the table has its column yet', () => {
  const known = new Map([
    ['kind', "'plain'"],
    ['later', '0'],
  ])
  const [table, path] = [new Map([...types, ['kind', 'String']]), '/j/notes/1.rows']
  const insert = parseRowInsert({ query, settings: new Map() })
  expect(insert && rowInsertStatement(insert, { types: table, path, known })).toContain(
    "INSERT INTO notes (id, idx, kind) SELECT id, idx, 'plain' FROM file(",
  )
})

test('a column that the table does not have is refused', () => {
  expect(() => statementFor({}, query.replace('idx', 'other'))).toThrow('table notes has no column other')
})

test('other statements are not row inserts', () => {
  expect(statementFor({}, 'SELECT 1')).toBeUndefined()
})
