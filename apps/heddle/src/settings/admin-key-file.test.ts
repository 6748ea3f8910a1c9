import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FaultyFiles } from '@heddle/datastore/testing/faulty-files'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readAdminKey, writeAdminKey } from './admin-key-file.ts'
import { makeEmptyFolder } from '../archive/empty-folder.ts'

const { files } = await vi.hoisted(async () => {
  const { createFaultyFiles } = await import('@heddle/datastore/testing/faulty-files')
  return { files: createFaultyFiles() as FaultyFiles }
})
vi.mock('node:fs/promises', async (original) => files.wrap(await original()))

test('a power cut takes neither a new folder nor the key in it away', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'heddle-key-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const dataDir = join(parent, 'deep', 'data')
  files.begin()
  await makeEmptyFolder(dataDir)
  expect(files.unsynced).toEqual([])
  await writeAdminKey(dataDir, 'a secret')
  expect(files.unsynced).toEqual([])
  expect(await readdir(dataDir)).toEqual(['admin-key'])
  expect(await readAdminKey(dataDir)).toBe('a secret')
})
