import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The last steps of 0.1.0, the first version that others have. */
const lastOfFirstVersion = { relational: '0032', analytical: '0021' }

/** What an older server that still runs would miss: its statements name tables and columns as it knows them. */
const removal = /\b(dropColumn|dropTable|renameTo|renameColumn|DROP COLUMN|DROP TABLE|RENAME (COLUMN|TABLE|TO))\b/

const stepsOf = (store: 'relational' | 'analytical') => {
  const folder = new URL(`./${store}/migrations/`, import.meta.url)
  return readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
}

test.each(['relational', 'analytical'] as const)(
  'no %s step after those of 0.1.0 renames or removes a table or a column, so servers of the version before continue',
  (store) => {
    const later = stepsOf(store).filter(({ name }) => name.slice(0, 4) > lastOfFirstVersion[store])
    expect(later.filter(({ text }) => removal.test(text)).map(({ name }) => name)).toEqual([])
  },
)

test('a step that renames would be found', () => {
  const found = stepsOf('relational').filter(({ text }) => removal.test(text))
  expect(found.map(({ name }) => name)).toEqual(['0030-deletions-of-any-records.ts'])
})
