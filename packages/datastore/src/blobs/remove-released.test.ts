import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { serverWork } from '../work/work-scope.ts'
import { processLock } from '../locks/process-lock.ts'
import { findHeldBlobs, noteReleased, referenceBlobs, releaseBlobsAtOnce } from './blob-references.ts'
import type { Database, RelationalStore } from '../relational/database.ts'
import { openTestRelational } from '../testing/index.ts'
import { fileBlobs } from './file-blobs.ts'
import { removeReleased } from './remove-released.ts'

const never = new AbortController().signal
const folders: string[] = []
let database: RelationalStore
let rows: Database
let blobs: ReturnType<typeof fileBlobs>
let closeRelational: () => Promise<void> = async () => undefined
const locks = processLock()

beforeEach(async () => {
  await closeRelational()
  const folder = await mkdtemp(join(tmpdir(), 'heddle-released-'))
  folders.push(folder)
  ;({ database, closeRelational } = await openTestRelational(folder, undefined))
  rows = database.of(serverWork)
  blobs = fileBlobs(join(folder, 'blobs'))
})
afterAll(async () => {
  await closeRelational()
  for (const folder of folders) await rm(folder, { recursive: true })
})

const put = async (text: string) => (await blobs.put(Buffer.from(text))).digest
const exists = async (digest: string) => (await blobs.stat(digest)) !== undefined
const remove = (more: Partial<Parameters<typeof removeReleased>[0]> = {}) =>
  removeReleased({
    blobs,
    locks,
    database,
    findReferenced: (digests) => findHeldBlobs(rows, digests),
    isHeld: async () => false,
    signal: never,
    ...more,
  })

test('what a holder released is removed at once, but for what it keeps and what others need', async () => {
  const [old, kept, shared] = [await put('old'), await put('kept'), await put('shared')]
  await referenceBlobs(rows, 'recovery:1', [old, kept, shared])
  await referenceBlobs(rows, 'checkpoint:1', [shared])
  await releaseBlobsAtOnce(rows, 'recovery:1', [kept])
  expect(await remove()).toBe(1)
  expect([await exists(old), await exists(kept), await exists(shared)]).toEqual([false, true, true])
  expect(await rows.selectFrom('blob_references').select('holder').orderBy('holder').execute()).toEqual([
    { holder: 'checkpoint:1' },
    { holder: 'recovery:1' },
  ])
  expect(await rows.selectFrom('released_blobs').selectAll().execute()).toEqual([])
})

test('what could not be removed is removed the next time, also after a crash between the blob and its note', async () => {
  const [first, second] = [await put('first'), await put('second')]
  await noteReleased(rows, [first, second])
  const failing = { ...blobs, delete: () => Promise.reject(new Error('the disk failed')) }
  await expect(remove({ blobs: failing })).rejects.toThrow('the disk failed')
  await blobs.delete(first)
  expect(await remove()).toBe(2)
  expect([await exists(first), await exists(second)]).toEqual([false, false])
})

test('nothing is removed while somebody copies the store', async () => {
  const digest = await put('copied')
  await noteReleased(rows, [digest])
  expect(await remove({ isHeld: async () => true })).toBe(0)
  expect(await exists(digest)).toBe(true)
  expect(await remove()).toBe(1)
})

test('content that is stored again meanwhile stays, since its writer holds the lock until the reference is there', async () => {
  const digest = await put('again')
  await noteReleased(rows, [digest])
  let removing: Promise<number> | undefined
  await locks.withKeys(serverWork, [`blob\0${digest}`], async () => {
    removing = remove()
    await put('again')
    await referenceBlobs(rows, 'checkpoint:2', [digest])
  })
  expect(await removing).toBe(0)
  expect(await exists(digest)).toBe(true)
})
