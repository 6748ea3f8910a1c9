import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lastBackupFile } from '../backup/last-backup.ts'
import { createReadStorage } from './read-storage.ts'

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'storage-'))
  for (const [path, size] of [
    ['engine/store/part/data.bin', 100],
    ['engine/journal/calls/1.rows', 10],
    ['heddle.db', 20],
    ['heddle.db-wal', 5],
    ['blobs/ab/cd/digest', 7],
    ['scratch/training/weights', 3],
    ['admin-key', 1],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), 'x'.repeat(size))
  }
  return folder
}

const sizesOf = (parts: readonly { name: string; bytes: number }[] | null) =>
  Object.fromEntries(parts!.map(({ name, bytes }) => [name, bytes]))

test('the data folder is added up by kind, without what links lead to', async () => {
  const folder = aFolder()
  symlinkSync('/', join(folder, 'blobs', 'link'))
  const storage = await createReadStorage(folder)()
  expect(sizesOf(storage.parts)).toEqual({ calls: 110, records: 25, files: 7, scratch: 3, other: 1 })
  expect([storage.is_complete, storage.last_backup]).toEqual([true, null])
})

test('a folder of very many files is added up in part, which is reported', async () => {
  const { is_complete } = await createReadStorage(aFolder(), { maxFiles: 6 })()
  expect(is_complete).toBe(false)
})

test('sizes are read once a minute, and a backup is known at once', async () => {
  const folder = aFolder()
  let at = 0
  const read = createReadStorage(folder, { now: () => at })
  await read()
  writeFileSync(join(folder, 'heddle.db'), '')
  writeFileSync(join(folder, lastBackupFile), JSON.stringify({ format: 1, ended_at: '2026-01-01T00:00:00.000Z', bytes: 9 }))
  at = 59_999
  const soon = await read()
  expect([sizesOf(soon.parts)['records'], soon.last_backup]).toEqual([25, { ended_at: '2026-01-01T00:00:00.000Z', bytes: 9 }])
  at = 60_000
  expect(sizesOf((await read()).parts)['records']).toBe(5)
})

test.each(['', '{', '{"format":2,"ended_at":"2026-01-01T00:00:00.000Z","bytes":9}', '{"format":1,"ended_at":"soon","bytes":9}'])(
  'a malformed record of the last backup is ignored: %s',
  async (text) => {
    const folder = aFolder()
    writeFileSync(join(folder, lastBackupFile), text)
    expect((await createReadStorage(folder)()).last_backup).toBeNull()
  },
)
