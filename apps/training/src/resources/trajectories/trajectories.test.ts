import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aTrajectory } from '../../testing/sampled-choice.ts'
import { send } from '../../testing/send.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

describe.each(dialects)('logged trajectories on $dialect', ({ postgresUrl }) => {
  let app: TrainingApp
  beforeAll(async () => {
    app = await startTrainingApp(postgresUrl === undefined ? {} : { postgresUrl })
  })
  afterAll(() => app.close())
  const newModel = async () => (await app.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
  const log = (model_id: string, split: string, ...trajectory_groups: { trajectories: Record<string, unknown>[] }[]) =>
    app.client.trajectories.log({ model_id, split, trajectory_groups })

  test('metrics are merged into those of the newest checkpoint, under the split', async () => {
    const model_id = await newModel()
    expect(await log(model_id, 'train', { trajectories: [1, 0, 0, 1].map((reward) => ({ reward, metrics: { turns: 2 } })) })).toEqual({})
    await log(model_id, 'val', { trajectories: [{ reward: 0.25 }] })
    const { data } = await app.client.checkpoints.list({ model_id })
    expect(data[0]!.metrics).toEqual({
      'train/reward': 0.5,
      'train/reward_std_dev': 0.5,
      'train/exception_rate': 0,
      'train/turns': 2,
      'val/reward': 0.25,
      'val/reward_std_dev': 0,
      'val/exception_rate': 0,
    })
  })

  test('groups are listed, the newest first, with messages instead of choices and without log-probabilities', async () => {
    const model_id = await newModel()
    await log(model_id, 'train', { trajectories: [aTrajectory('hello', 1)] }, { trajectories: [{ reward: 2 }] })
    const { data, has_more } = await app.client.trajectories.list({ model_id, limit: 1 })
    expect([data[0]!.trajectories[0]!.reward, has_more]).toEqual([2, true])
    const rest = await app.client.trajectories.list({ model_id, after: data[0]!.id })
    expect(rest.data).toMatchObject([{ split: 'train', step: 0, exceptions: [], logs: [] }])
    expect(rest.data[0]!.trajectories[0]).toMatchObject({
      id: `${rest.data[0]!.id}:0`,
      reward: 1,
      messages: [
        { role: 'user', content: 'go', trainable: false, history: 0 },
        { role: 'assistant', content: 'hello', trainable: true, history: 0 },
      ],
    })
    expect(JSON.stringify(rest)).not.toMatch(/logprob|token_id/)
  })

  test('a page ends early where its groups are large', async () => {
    const model_id = await newModel()
    const large = { trajectories: [{ logs: ['x'.repeat(5 * 2 ** 20)] }] }
    await log(model_id, 'train', { trajectories: [{ reward: 1 }] }, large, large)
    const page = await app.client.trajectories.list({ model_id })
    expect([page.data.length, page.has_more]).toEqual([2, true])
    const rest = await app.client.trajectories.list({ model_id, after: page.last_id })
    expect([rest.data.map(({ trajectories }) => trajectories[0]!.reward), rest.has_more]).toEqual([[1], false])
  })

  test('groups are found by split, step, id of a trajectory, and the names in its metadata', async () => {
    const model_id = await newModel()
    await log(model_id, 'train', { trajectories: [{ metadata: { trajectory_id: 't-1', trace_id: 'x' } }] })
    await log(model_id, 'val', { trajectories: [{ metadata: { trace_id: 'y' } }] })
    const splitsOf = async (filter: object) => (await app.client.trajectories.list({ model_id, ...filter })).data.map(({ split }) => split)
    expect(await splitsOf({ split: 'val' })).toEqual(['val'])
    expect(await splitsOf({ step: 1 })).toEqual([])
    expect(await splitsOf({ trajectory_id: 't-1' })).toEqual(['train'])
    expect(await splitsOf({ trace_id: 'y' })).toEqual(['val'])
    expect(await splitsOf({ trajectory_id: 't-1', trace_id: 'y' })).toEqual([])
    const { data } = await app.client.trajectories.list({ model_id, split: 'val' })
    expect(await splitsOf({ trajectory_id: data[0]!.trajectories[0]!.id })).toEqual(['val'])
  })

  test('a log with an idempotency key is stored once, and one without it each time', async () => {
    const model_id = await newModel()
    const request = { model_id, split: 'train', trajectory_groups: [{ trajectories: [{ reward: 1 }] }] }
    for (const key of ['k', 'k']) await app.client.trajectories.log({ ...request, 'idempotency-key': `${model_id}-${key}` })
    expect((await app.client.trajectories.list({ model_id })).data).toHaveLength(1)
    await app.client.trajectories.log(request)
    expect((await app.client.trajectories.list({ model_id })).data).toHaveLength(2)
  })

  test('a body without its fields is refused with the place of each, and a model id in it is ignored', async () => {
    const model_id = await newModel()
    const { status, body } = await send(app, 'POST', `/v1/preview/models/${model_id}/log`, { model_id: 7 })
    expect([status, body]).toEqual([
      422,
      {
        detail: [
          { loc: ['body', 'split'], msg: 'Field required', type: 'missing' },
          { loc: ['body', 'trajectory_groups'], msg: 'Field required', type: 'missing' },
        ],
      },
    ])
    await expect(log(randomUUID(), 'train')).rejects.toMatchObject({ status: 404 })
    const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    await expect(stranger.trajectories.list({ model_id })).rejects.toMatchObject({ status: 404 })
  })
})
