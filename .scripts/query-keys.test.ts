import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './project-root.mjs'
import { findRepeatedKeys } from './query-keys.mjs'

const notes = "export const notesQuery = (id: string) => queryOptions({ queryKey: ['notes', id], queryFn })"
const keyed = "export const tagsKey = (id: string) => ['tags', id] as const"

test.each<[string, string, string[]]>([
  ['a key that names its query', "void readAgain(queries, notesQuery('a').queryKey)", []],
  ['a key that continues a declared one', "queryOptions({ queryKey: [...tagsKey('a'), 'counts'] })", []],
  ['a list that begins with the same word', "const places = [['notes', 'Notes']]", []],
  [
    'a key that is loaded again',
    "void readAgain(queries, ['notes', id])",
    ["use.ts:1: the key 'notes' is declared at notes.ts:1; use that one"],
  ],
  [
    'a key that is cancelled',
    "void queries.cancelQueries({ queryKey: ['tags'] as const })",
    ["use.ts:1: the key 'tags' is declared at tags.ts:1; use that one"],
  ],
  [
    'a second query with a key',
    "queryOptions({\n  queryKey: ['notes', id, 'all'],\n})",
    ["use.ts:2: the key 'notes' is declared at notes.ts:1 too"],
  ],
])('%s', (_what, text, findings) => {
  const files = [
    ['notes.ts', notes],
    ['tags.ts', keyed],
    ['use.ts', text],
  ] as const
  expect(findRepeatedKeys(files)).toEqual(findings)
})

test('each key of the pages is written once, where its query is declared', () => {
  const pages = join(projectRoot, 'apps/web/src')
  const paths = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  const files = paths.map((path) => [path, readFileSync(join(pages, path), 'utf8')] as const).filter(([, text]) => text.includes("['"))
  expect(files.length).toBeGreaterThan(100)
  expect(findRepeatedKeys(files)).toEqual([])
}, 120_000)
