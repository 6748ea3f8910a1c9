import { randomUUID } from 'node:crypto'
import { findHeldBlobs, processLock, removeReleased, serverWork } from '@heddle/datastore'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recoveryHolder } from '../../blob-holders.ts'
import { aGroup } from '../../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../../testing/until-ended.ts'

/** Every group fills a row, so that a job has as many gradient steps, with a recovery point after each. */
const groups = Array.from({ length: 6 }, (_, index) => aGroup('abcdefgh'[index]!.repeat(150), 'h'.repeat(150)))
const experimental_config = { packed_sequence_length: 256, logprob_calculation_chunk_size: 256 }
const runLimits = { recoverySteps: 1, recoveryShare: 1, recoveryBytesPerSecond: Infinity }

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp({ service: { settleEveryMs: 50, runLimits } })
})
afterAll(() => app.close())

const database = () => app.database.of(serverWork)
const heldBy = async (id: string) =>
  (await database().selectFrom('blob_references').select('sha256').where('holder', '=', recoveryHolder(id)).execute()).map(
    ({ sha256 }) => sha256,
  )

/** As the server does every two seconds. */
const remove = () =>
  removeReleased({
    blobs: app.blobs,
    locks: processLock(),
    database: app.database,
    findReferenced: (digests) => findHeldBlobs(database(), digests),
    isHeld: async () => false,
    signal: new AbortController().signal,
  })

async function unreferenced(): Promise<string[]> {
  const found: string[] = []
  for await (const { digest } of app.blobs.list()) if (!(await findHeldBlobs(database(), [digest])).has(digest)) found.push(digest)
  return found
}

async function newJob(): Promise<string> {
  const model_id = (await app.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
  return (await app.client.trainingJobs.create({ model_id, trajectory_groups: groups, experimental_config })).id
}

describe('recovery points of a job', () => {
  test('are removed as soon as a newer one is durable: one is there at a time', async () => {
    const held: string[][] = []
    const left: string[][] = []
    let id = ''
    app.engine.hooks.beforeStep = async (made) => {
      if (made === 0) return
      held.push(await heldBy(id))
      await remove()
      left.push(await unreferenced())
    }
    try {
      const known = await unreferenced()
      id = await newJob()
      expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded' })
      expect(held.length).toBeGreaterThanOrEqual(4)
      expect(new Set(held.map(({ length }) => length))).toEqual(new Set([held[0]!.length]))
      expect(new Set(held.flat()).size).toBeGreaterThan(held[0]!.length)
      expect(left).toEqual(left.map(() => known))
    } finally {
      delete app.engine.hooks.beforeStep
    }
    const steps = (await allEvents(app.client, id)).filter(({ type }) => type === 'gradient_step')
    expect(steps[0]!.data).not.toHaveProperty('recovery/bytes')
    for (const { data } of steps.slice(1))
      expect(data).toMatchObject({ 'recovery/bytes': expect.any(Number) as number, 'recovery/seconds': expect.any(Number) as number })
  })

  test.each(['succeeded', 'failed', 'cancelled'] as const)('leave nothing when it has %s', async (status) => {
    let id = ''
    app.engine.hooks.beforeStep = async (made, signal) => {
      if (made < 3 || status === 'succeeded') return
      if (status === 'failed') throw new Error('the weights are gone')
      await app.client.trainingJobs.cancel({ job_id: id })
      await new Promise((_, reject) => void signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    }
    try {
      id = await newJob()
      expect(await untilEnded(app.client, id)).toMatchObject({ status })
    } finally {
      delete app.engine.hooks.beforeStep
    }
    expect(await heldBy(id)).toEqual([])
    await remove()
    expect(await unreferenced()).toEqual([])
  })

  test('leave nothing when it is cancelled while one is being kept', async () => {
    let id = ''
    let isCancelled = false
    const other = await app.anotherServer({ jobQueue: 'cancelled-while-keeping' })
    const open = other.engine.openTraining.bind(other.engine)
    other.engine.openTraining = async (options, signal) => {
      const session = await open(options, signal)
      return {
        ...session,
        forward: session.forward.bind(session),
        backward: session.backward.bind(session),
        step: session.step.bind(session),
        saveCheckpoint: session.saveCheckpoint.bind(session),
        close: session.close.bind(session),
        async saveState(folder) {
          await session.saveState(folder, new AbortController().signal)
          if (isCancelled) return
          isCancelled = true
          await other.client.trainingJobs.cancel({ job_id: id })
        },
      }
    }
    const model_id = (await other.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
    id = (await other.client.trainingJobs.create({ model_id, trajectory_groups: groups, experimental_config })).id
    expect(await untilEnded(other.client, id)).toMatchObject({ status: 'cancelled' })
    await other.close()
    expect(await heldBy(id)).toEqual([])
    await remove()
    expect(await unreferenced()).toEqual([])
  })
})
