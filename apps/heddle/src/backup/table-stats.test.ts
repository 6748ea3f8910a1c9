import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashFile, listFiles } from '../archive/hashed-files.ts'
import { statsOfCopy } from './table-stats.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-stats-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

async function stats() {
  const files = []
  for (const name of await listFiles(folder)) files.push(await hashFile(folder, name))
  return statsOfCopy(folder, files)
}

test('the copy of a table excludes changes that the engine has not applied yet', async () => {
  write('data/heddle/calls/all_1_1_0/count.txt', '3')
  write('data/heddle/calls/all_1_1_0/data.bin', 'abc')
  const before = await stats()
  expect(before).toMatchObject({ rows: 3, parts: 1 })
  write('data/heddle/calls/mutations/0000000002.txt', 'DELETE WHERE 1')
  expect(await stats()).toEqual(before)
})

test('a part without its number of rows is an error', async () => {
  write('data/heddle/calls/all_1_1_0/data.bin', 'abc')
  await expect(stats()).rejects.toThrow('count.txt')
})
