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

  test('a log in several requests has the metrics of the whole, under each split', async () => {
    const [whole, parts] = [await newModel(), await newModel()]
    const groups = [[1, 0, 0, 1], [0.2, 0.4, 0.9], [1]].map((rewards) => ({ trajectories: rewards.map((reward) => ({ reward })) }))
    await log(whole, 'val', ...groups)
    await Promise.all(groups.map((group) => log(parts, 'val', group)))
    await log(parts, 'train', { trajectories: [{ reward: 7 }] })
    const metricsOf = async (model_id: string) => (await app.client.checkpoints.list({ model_id })).data[0]!.metrics
    const { 'train/reward': other, ...metrics } = await metricsOf(parts)
    expect(other).toBe(7)
    for (const [name, value] of Object.entries(await metricsOf(whole))) expect(metrics[name]).toBeCloseTo(value, 12)
  })

  test('numbers of messages, tools, metadata and metrics are listed as they were sent', async () => {
    const model_id = await newModel()
    const metadata = '{"task":9007199254740993,"size":1.50,"power":1e3}'
    const message = '{"role":"user","content":"a","at":1.0,"id":12345678901234567890}'
    const tools = '[{"type":"function","function":{"name":"f","parameters":{"const":1.0}}}]'
    const trajectory = `{"messages_and_choices":[${message}],"tools":${tools},"reward":1.0,"metadata":${metadata},"metrics":{"turns":2.0}}`
    const group = `{"trajectories":[${trajectory}],"metadata":${metadata},"metrics":{"size":3.0}}`
    const path = `/v1/preview/models/${model_id}`
    expect((await send(app, 'POST', `${path}/log`, `{"split":"train","trajectory_groups":[${group}]}`)).status).toBe(200)
    const response = await app.service.fetch(
      new Request(`http://heddle.test${path}/trajectories`, { headers: { authorization: `Bearer ${app.apiKey}` } }),
    )
    const text = await response.text()
    for (const part of [`"metadata":${metadata}`, message.slice(1, -1), `"tools":${tools}`, '"turns":2.0', '"size":3.0'])
      expect(text).toContain(part)
    const { data } = await app.client.checkpoints.list({ model_id })
    expect(data[0]!.metrics).toMatchObject({ 'train/turns': 2, 'train/group_metric_size': 3, 'train/reward': 1 })
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
