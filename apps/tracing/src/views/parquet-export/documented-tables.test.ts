import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parquetTables } from '../../query/parquet-tables.ts'

const page = readFileSync(new URL('../../../../../docs/parquet.md', import.meta.url), 'utf8')

test.each(parquetTables)('the page documents the table $name with its columns in their order', ({ name, about, columns }) => {
  const section = page.split(`### ${name}\n`)[1]?.split('\n### ')[0] ?? ''
  expect(section).toContain(about.charAt(0).toUpperCase() + about.slice(1))
  const rows = section.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|').map((cell) => cell.trim())] : []))
  expect(rows.map(([, column, type, text]) => [column, type, text])).toEqual(
    columns.map((column) => [`\`${column.name}\``, `\`${column.type}\``, column.about]),
  )
})
