import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { fileBlobs, noteReleased, openSqlite, processLock, referenceBlobs, releaseBlobsAtOnce, serverWork } from '@heddle/datastore'
import type { TrainingService } from '@heddle/training'
import { expect, inject, test, vi } from 'vitest'
import { isBackupRunning, runningBackupFile, withRunningBackup } from '../backup/running-backup.ts'
import { withBlobRemoval } from './remove-released-blobs.ts'

test('a server removes what was released within seconds, but not while a backup reads its folder', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const dataDir = await mkdtemp(join(inject('storesFolder'), 'released-'))
  const database = await openSqlite(join(dataDir, 'heddle.db'))
  const blobs = fileBlobs(join(dataDir, 'blobs'))
  const { digest } = await blobs.put(Buffer.from('superseded'))
  await referenceBlobs(database.of(serverWork), 'recovery:1', [digest])
  const closed: string[] = []
  const trainer = { close: async () => void closed.push('training') } as unknown as TrainingService
  const logger = { error: (problem: unknown) => expect.unreachable(String(problem)) }
  const service = withBlobRemoval(trainer, { stores: { database, blobs, locks: processLock() }, dataDir, logger })
  try {
    await withRunningBackup(dataDir, async () => {
      await releaseBlobsAtOnce(database.of(serverWork), 'recovery:1')
      await vi.advanceTimersByTimeAsync(10_000)
      await expect.poll(() => isBackupRunning(dataDir)).toBe(true)
      expect(await blobs.stat(digest)).toBeDefined()
    })
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(2_000)
        return blobs.stat(digest)
      })
      .toBeUndefined()
    await noteReleased(database.of(serverWork), [digest])
  } finally {
    vi.useRealTimers()
    await service.close()
    await database.destroy()
    await rm(dataDir, { recursive: true })
  }
  expect(closed).toEqual(['training'])
})

test('a backup that was killed delays nothing for longer than two minutes', async () => {
  const dataDir = await mkdtemp(join(inject('storesFolder'), 'killed-backup-'))
  await withRunningBackup(dataDir, async () => {
    const old = new Date(Date.now() - 121_000)
    await utimes(join(dataDir, runningBackupFile), old, old)
    expect(await isBackupRunning(dataDir)).toBe(false)
  })
  expect(await isBackupRunning(dataDir)).toBe(false)
  await rm(dataDir, { recursive: true })
})
