import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileBlobs, openSqlite, processLock, referenceBlobs, serverWork } from '@heddle/datastore'
import type { TrainingService } from '@heddle/training'
import { expect, inject, test } from 'vitest'
import { sweepBlobsAlone } from './sweep-blobs-alone.ts'

const dayMicros = 24 * 3_600_000_000

test('a server for training alone removes blobs that nothing needs, after a day, and keeps those of checkpoints and files', async () => {
  const folder = await mkdtemp(join(inject('storesFolder'), 'swept-'))
  const database = await openSqlite(join(folder, 'heddle.db'))
  const blobs = fileBlobs(join(folder, 'blobs'))
  async function keep(text: string): Promise<string> {
    const staged = await blobs.stage(Buffer.from(text))
    await staged.keep()
    await staged.drop()
    return staged.digest
  }
  const [ofCheckpoint, orphan] = [await keep('weights'), await keep('of a killed server')]
  await referenceBlobs(database.of(serverWork), 'checkpoint:1', [ofCheckpoint])
  let now = Date.now() * 1_000
  const closed: string[] = []
  const trainer = { close: async () => void closed.push('training') } as unknown as TrainingService
  const logger = { error: (problem: unknown) => expect.unreachable(String(problem)) }
  const { service, sweeper } = sweepBlobsAlone(trainer, { stores: { database, blobs, locks: processLock() }, clock: () => now, logger })
  expect(await sweeper.sweep()).toMatchObject({ examined: 2, deleted: 0 })
  now += 2 * dayMicros
  expect(await sweeper.sweep()).toMatchObject({ examined: 2, deleted: 1 })
  expect([await blobs.stat(ofCheckpoint), await blobs.stat(orphan)]).toEqual([expect.anything(), undefined])
  await service.close()
  expect(closed).toEqual(['training'])
  await database.destroy()
  await rm(folder, { recursive: true })
})
