import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as attributes from './attributes.ts'
import * as client from './client/index.ts'
import * as histories from './histories/index.ts'
import * as main from './index.ts'
import * as internal from './internal.ts'
import * as openapi from './openapi/index.ts'
import * as routes from './routes/index.ts'
import * as types from './types.ts'

const entries = {
  '.': main,
  './types': types,
  './client': client,
  './routes': routes,
  './openapi': openapi,
  './attributes': attributes,
  './histories': histories,
  './internal': internal,
}

/** Entry to the names that exist at run time, as committed. */
function readCommitted(): Record<string, string[]> {
  const blocks = readFileSync(new URL('../api/exports.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n\n')
  return Object.fromEntries(
    blocks.map((block) => {
      const [entry = '', ...names] = block.split('\n').map((line) => line.trim())
      return [entry, names.filter((name) => !name.startsWith('type '))]
    }),
  )
}

test('the exported names are those of the committed list; a change of them is made with "npm run gen" and a changeset', () => {
  const exported = Object.entries(entries).map(([entry, names]) => [entry, Object.keys(names).toSorted()])
  expect(Object.fromEntries(exported)).toEqual(readCommitted())
})

test('each name is exported by one entry: internal names and shapes by no other', () => {
  const others = [main, client, routes, openapi, attributes, histories]
  expect(Object.keys(internal).filter((name) => [types, ...others].some((entry) => name in entry))).toEqual([])
  expect(Object.keys(types).filter((name) => others.some((entry) => name in entry))).toEqual([])
})

test('the attributes load nothing', () => {
  expect(readFileSync(new URL('attributes.ts', import.meta.url), 'utf8')).not.toMatch(/import/)
})
