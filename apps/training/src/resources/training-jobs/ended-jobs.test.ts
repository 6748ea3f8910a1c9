import { randomUUID } from 'node:crypto'
import { StoreError } from '@heddle/datastore'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { holdTraining } from '../../testing/hold-training.ts'
import { aGroup } from '../../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'
import type { EndedJob, OnJobEnded } from './ended-job.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

describe.each(dialects)('what follows from the end of a training job, on $dialect', ({ postgresUrl }) => {
  let app: TrainingApp
  let told: EndedJob[] = []
  let follow: OnJobEnded
  beforeAll(async () => {
    const onJobEnded: OnJobEnded = async (transaction, job) => {
      await follow(transaction, job)
      told.push(job)
    }
    app = await startTrainingApp({ ...(postgresUrl !== undefined && { postgresUrl }), service: { settleEveryMs: 50, onJobEnded } })
  })
  afterAll(() => app.close())
  beforeEach(() => {
    told = []
    follow = async () => undefined
  })

  const newModel = async () => (await app.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
  const train = async (model_id: string) =>
    (await app.client.trainingJobs.create({ model_id, trajectory_groups: [aGroup('a', 'b'), aGroup('a', 'c')] })).id

  test('is notified of one that succeeded, with its steps and checkpoint', async () => {
    const model_id = await newModel()
    const job_id = await train(model_id)
    await untilEnded(app.client, job_id)
    const { project_id } = await app.database
      .selectFrom('trained_models')
      .select('project_id')
      .where('id', '=', model_id)
      .executeTakeFirstOrThrow()
    expect(told).toEqual([
      {
        project_id,
        training_job_id: job_id,
        kind: 'rl',
        model_id,
        model: 'agent',
        status: 'succeeded',
        error: null,
        gradient_steps: 1,
        checkpoint_step: 1,
        started_at: expect.any(Number),
        ended_at: expect.any(Number),
      },
    ])
  })

  test('is notified of one that failed, and of those that were cancelled while they waited and while they ran', async () => {
    const model_id = await newModel()
    await untilEnded(app.client, await train(model_id))
    const gate = holdTraining(app)
    const [running, waiting] = [await train(model_id), await train(model_id)]
    await gate.held
    await app.client.trainingJobs.cancel({ job_id: waiting })
    await app.client.trainingJobs.cancel({ job_id: running })
    await untilEnded(app.client, running)
    await app.client.trainingJobs.cancel({ job_id: running })
    gate.release()
    app.engine.hooks.beforeCheckpoint = async () => {
      throw Object.assign(new Error('full'), { status: 507 })
    }
    const failing = await train(model_id)
    const failed = await untilEnded(app.client, failing)
    delete app.engine.hooks.beforeCheckpoint
    const cancelled = { status: 'cancelled', error: 'the job was cancelled', gradient_steps: 0, checkpoint_step: 1 }
    expect(told.slice(1)).toMatchObject([
      { ...cancelled, training_job_id: waiting, started_at: null },
      { ...cancelled, training_job_id: running, started_at: expect.any(Number) },
      { training_job_id: failing, status: 'failed', error: failed.error_message, gradient_steps: 1, checkpoint_step: 1 },
    ])
    expect(failed.error_message).toMatch(/unexpectedly/)
  })

  test('is notified of one whose model was deleted, without what is gone', async () => {
    const model_id = await newModel()
    const gate = holdTraining(app)
    const training_job_id = await train(model_id)
    await gate.held
    await app.client.models.delete({ model_id })
    gate.release()
    await untilEnded(app.client, training_job_id)
    expect(told).toMatchObject([{ training_job_id, model_id, model: null, status: 'failed', checkpoint_step: null }])
  })

  test('is notified of one that nobody ended', async () => {
    const gate = holdTraining(app)
    const training_job_id = await train(await newModel())
    await gate.held
    const { queue_job_id } = await app.database
      .selectFrom('training_jobs')
      .select('queue_job_id')
      .where('id', '=', training_job_id)
      .executeTakeFirstOrThrow()
    const ended = { state: 'failed', error: 'its worker ended', ended_at: 1, lease_token: 99 }
    await app.database.updateTable('jobs').set(ended).where('id', '=', queue_job_id).execute()
    await untilEnded(app.client, training_job_id)
    gate.release()
    expect(told).toMatchObject([{ training_job_id, status: 'failed', error: 'its worker ended' }])
  })

  test('is done with the end or not at all: where it fails the job ends later', async () => {
    let left = 1
    follow = async (transaction, { training_job_id }) => {
      await transaction
        .updateTable('training_jobs')
        .set({ message: `follows ${left}` })
        .where('id', '=', training_job_id)
        .execute()
      if (left-- > 0) throw new StoreError('unavailable', 'cannot reach the database')
    }
    const model_id = await newModel()
    const training_job_id = await train(model_id)
    expect(await untilEnded(app.client, training_job_id)).toMatchObject({ status: 'succeeded', step: 1, message: 'follows 0' })
    expect(told).toMatchObject([{ training_job_id, status: 'succeeded', gradient_steps: 1 }])
    const { data } = await app.client.checkpoints.list({ model_id })
    expect(data.map(({ step }) => step)).toEqual([0, 1])
  })
})
