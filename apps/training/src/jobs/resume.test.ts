import { randomUUID } from 'node:crypto'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGroup } from '../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../testing/until-ended.ts'

/** Every group fills a row, so that a job has as many gradient steps. */
const rows = 4
const groups = Array.from({ length: rows }, (_, index) => aGroup('abcdefgh'[index]!.repeat(150), 'h'.repeat(150)))
const experimental_config = { packed_sequence_length: 256, logprob_calculation_chunk_size: 256 }
const runLimits = { recoverySteps: 1, recoveryShare: 1, recoveryBytesPerSecond: Infinity }

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp({ service: { settleEveryMs: 50, runLimits } })
})
afterAll(() => app.close())

async function newJob(config: { seed?: number } = {}): Promise<{ model_id: string; id: string }> {
  const model_id = (await app.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
  const request = { trajectory_groups: groups, experimental_config: { ...experimental_config, ...config } }
  const { id } = await app.client.trainingJobs.create({ model_id, ...request })
  return { model_id, id }
}

async function filesOf(model_id: string): Promise<unknown> {
  const row = await app.database
    .selectFrom('checkpoints')
    .select('files')
    .where('model_id', '=', model_id)
    .where('step', '=', 1)
    .executeTakeFirstOrThrow()
  return JSON.parse(row.files)
}

describe('a job that is cut', () => {
  test('the order of rows is that of the job, so the same trajectories may give other weights; a job by itself is exact', async () => {
    const { id, model_id } = await newJob()
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', step: 1 })
    expect(Object.keys((await filesOf(model_id)) as object)).toEqual(['table.json'])
    expect((await allEvents(app.client, id)).filter(({ type }) => type === 'gradient_step').length).toBeGreaterThanOrEqual(rows)
  })

  test('with a seed, the same trajectories give the same weights; with another seed, others', async () => {
    const weightsFrom = async (seed: number) => {
      const { id, model_id } = await newJob({ seed })
      expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded' })
      return filesOf(model_id)
    }
    const [first, again, other] = [await weightsFrom(1), await weightsFrom(1), await weightsFrom(2)]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  /** Runs a job that is cut before the given gradient step, and continues elsewhere; returns its outcome. */
  async function cutBefore(step: number, cut: 'stop' | 'crash') {
    const { id, model_id } = await newJobOn(step, cut)
    const job = await untilEnded(app.client, id)
    return { job, files: await filesOf(model_id), events: await allEvents(app.client, id) }
  }

  async function newJobOn(step: number, cut: 'stop' | 'crash') {
    let onReached = () => {}
    const reached = new Promise<void>((resolve) => (onReached = resolve))
    const first = await app.anotherServer({ jobQueue: 'cut' })
    first.engine.hooks.beforeStep = async (made, signal) => {
      if (made !== step) return
      // Where the job comes back here, it continues.
      delete first.engine.hooks.beforeStep
      onReached()
      await new Promise((_, reject) => void signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    }
    const model_id = (await first.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
    const { id } = await first.client.trainingJobs.create({ model_id, trajectory_groups: groups, experimental_config })
    await reached
    // A server that starts on a queue of its own takes the leases of others for those of a dead process.
    if (cut === 'stop') await first.close()
    const second = await app.anotherServer({ jobQueue: 'cut' })
    await untilEnded(second.client, id)
    await second.close()
    if (cut === 'crash') await first.close()
    return { id, model_id }
  }

  test.each(['stop', 'crash'] as const)(
    'by a %s of its server continues where it was, and reports each step and counts its tokens once',
    { timeout: 90_000 },
    async (cut) => {
      const steps = Array.from({ length: trials({ usual: 1, long: rows }) }, (_, index) => (index + 2) % rows)
      for (const step of steps) {
        const { job, files, events } = await cutBefore(step, cut)
        expect(job).toMatchObject({ status: 'succeeded', step: 1 })
        expect(files).toEqual(await filesOfWhole(job.id))
        const types = events.map(({ type }) => type)
        const total = events[0]!.data['num_sequences'] as number
        expect(types).toEqual(['training_started', ...Array.from({ length: total }, () => 'gradient_step'), 'training_ended'])
        const tokens = events.map(({ data }) => Number(data['num_trainable_tokens'] ?? 0))
        expect(job.trainable_tokens).toBe(tokens.reduce((sum, count) => sum + count))
      }
    },
  )

  /** The files of the same job, as one that nothing cut makes them. */
  async function filesOfWhole(id: string): Promise<unknown> {
    const job = await app.database.selectFrom('training_jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await app.database.deleteFrom('checkpoints').where('job_id', '=', id).execute()
    await app.database.deleteFrom('training_events').where('job_id', '=', id).execute()
    const unstarted = {
      status: 'queued',
      queue_job_id: null,
      step: null,
      trainable_tokens: null,
      parent_step: null,
      started_at: null,
      ended_at: null,
      created_at: 0,
    }
    await app.database.updateTable('training_jobs').set(unstarted).where('id', '=', id).execute()
    // The server of the app finds that it never came into its queue.
    await untilEnded(app.client, id)
    return filesOf(job.model_id)
  }
})
