import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivateFolders } from './private-folders.ts'

let dataDir: string
let parent: string
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'heddle-private-'))
  ;[dataDir, parent] = [join(root, 'data'), join(root, 'shared')]
  for (const path of [dataDir, parent]) mkdirSync(path)
})
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }))

const make = () => makePrivateFolders(dataDir, [parent, dataDir])

test('each folder is accessible to its owner alone, in the first parent that allows it, and is removed at the end', () => {
  const { paths, remove } = make()
  expect(paths.map((path) => join(path, '..'))).toEqual([parent, dataDir])
  for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o700)
  remove()
  expect([readdirSync(parent), readdirSync(dataDir)]).toEqual([[], []])
})

test('names are never reused, so no one can have created the folder before', () => {
  const names = Array.from({ length: 20 }, () => {
    const { paths, remove } = make()
    remove()
    return basename(paths[0] ?? '')
  })
  expect(new Set(names).size).toBe(20)
  for (const name of names) expect(name).toMatch(/^heddle-[0-9a-f]{32}$/)
})

test('leftovers of a crash are removed at the next start', () => {
  const [left = ''] = make().paths
  writeFileSync(join(left, 'rows'), 'payload')
  const { paths } = make()
  expect(readdirSync(parent)).toEqual([basename(paths[0] ?? '')])
})

/** The name under which the first versions made their folders. */
const firstName = () => `heddle-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`

test('leftovers of a crash of a version that kept no list of its folders are removed at the next start', () => {
  for (const place of [parent, dataDir]) {
    mkdirSync(join(place, firstName()), { mode: 0o700 })
    writeFileSync(join(place, firstName(), 'rows'), 'payload')
  }
  make().remove()
  expect([readdirSync(parent), readdirSync(dataDir)]).toEqual([[], []])
})

test('a folder of that name that others can open is left alone', () => {
  mkdirSync(join(parent, firstName()))
  chmodSync(join(parent, firstName()), 0o755)
  make().remove()
  expect(readdirSync(parent)).toEqual([firstName()])
})

test('what another user put in place of a leftover folder is left alone', () => {
  const [left = ''] = make().paths
  rmSync(left, { recursive: true })
  const others = join(parent, 'others')
  mkdirSync(others)
  symlinkSync(others, left)
  make()
  expect(existsSync(left)).toBe(true)
  rmSync(left)
  mkdirSync(left)
  chmodSync(left, 0o755)
  writeFileSync(join(dataDir, 'engine.folders'), JSON.stringify([left, others, dataDir]))
  make()
  expect([left, others, dataDir].map((path) => existsSync(path))).toEqual([true, true, true])
})

test('a truncated list does not prevent a start', () => {
  writeFileSync(join(dataDir, 'engine.folders'), '["/dev')
  expect(make().paths).toHaveLength(2)
})
