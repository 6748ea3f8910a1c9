import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addCheckpoint } from '../../testing/add-checkpoint.ts'
import { send } from '../../testing/send.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { unpack } from '../../testing/unpack.ts'
import { countsOf, fillModel } from './testing/fill-model.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

describe.each(dialects)('models on $dialect', ({ postgresUrl }) => {
  let app: TrainingApp
  beforeAll(async () => {
    app = await startTrainingApp(postgresUrl === undefined ? {} : { postgresUrl })
  })
  afterAll(() => app.close())
  const newProject = () => `p-${randomUUID()}`
  const aModel = (project: string, name = 'agent') => ({ project, name, base_model: 'table', return_existing: true })

  test('a model is registered with every field filled, and the entity of the key', async () => {
    const model = await app.client.models.create({ entity: null, ...aModel('tasks') })
    expect(model).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      entity: 'local',
      project: 'tasks',
      name: 'agent',
      base_model: 'table',
      run_id: null,
    })
    expect(await app.client.models.read({ model_id: model.id })).toEqual(model)
  })

  test('a model begins with checkpoint 0, without metrics', async () => {
    const { id } = await app.client.models.create(aModel(newProject()))
    expect(await app.client.checkpoints.list({ model_id: id })).toMatchObject({
      object: 'list',
      data: [{ step: 0, metrics: {} }],
      has_more: false,
    })
  })

  test('the existing model is returned on request, and otherwise a conflict that is not to be retried', async () => {
    const project = newProject()
    const model = await app.client.models.create(aModel(project))
    expect(await app.client.models.create(aModel(project))).toEqual(model)
    const { status, headers, body } = await send(app, 'POST', '/v1/preview/models', { ...aModel(project), return_existing: false })
    expect([status, headers.get('x-should-retry'), body]).toEqual([
      409,
      'false',
      { detail: `local/${project} has a model "agent" already; choose another name, or set return_existing` },
    ])
  })

  test('an unknown base model is refused with those that are served', async () => {
    const other = { ...aModel(newProject()), base_model: 'huge' }
    await expect(app.client.models.create(other)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('base_model "huge" is not a base model; this server has table. ') as string,
    })
  })

  test('a base model that is named with its organization is stored by its id', async () => {
    const named = { ...aModel(newProject()), base_model: 'org/table' }
    const model = await app.client.models.create(named)
    expect(model.base_model).toBe('table')
    expect(await app.client.models.create(named)).toEqual(model)
  })

  test('of many registrations at the same time one is stored', async () => {
    const project = newProject()
    const models = await Promise.all(Array.from({ length: 20 }, () => app.client.models.create(aModel(project))))
    expect(new Set(models.map(({ id }) => id)).size).toBe(1)
    const { data } = await app.client.checkpoints.list({ model_id: models[0]!.id })
    expect(data).toHaveLength(1)
  })

  test('a request with an idempotency key is carried out once', async () => {
    const project = newProject()
    const request = { ...aModel(project), return_existing: false, 'idempotency-key': randomUUID() }
    const [first, second] = await Promise.all([app.client.models.create(request), app.client.models.create(request)])
    expect(second).toEqual(first)
    await expect(app.client.models.create({ ...request, name: 'other' })).rejects.toMatchObject({ status: 409 })
  })

  test('models are listed in order of registration, by project and name, in pages', async () => {
    const project = newProject()
    const names = ['b', 'a', 'c']
    for (const name of names) await app.client.models.create(aModel(project, name))
    const first = await app.client.models.list({ project, limit: 2 })
    expect([first.data.map(({ name }) => name), first.has_more]).toEqual([['b', 'a'], true])
    const rest = await app.client.models.list({ project, limit: 2, after: first.last_id })
    expect([rest.data.map(({ name }) => name), rest.has_more]).toEqual([['c'], false])
    expect((await app.client.models.list({ project, name: 'a' })).data).toHaveLength(1)
    const everywhere = await app.client.models.list({ name: 'c', limit: 100 })
    expect(everywhere.data.map((model) => model.project)).toContain(project)
  })

  test('a deleted model is gone, and so are its checkpoints; a second deletion finds nothing', async () => {
    const project = newProject()
    const { id } = await app.client.models.create(aModel(project))
    expect(await app.client.models.delete({ model_id: id })).toEqual({ model_id: id, deleted_checkpoints: 1, deleted_run: false })
    await expect(app.client.models.delete({ model_id: id })).rejects.toMatchObject({ status: 404 })
    await expect(app.client.checkpoints.list({ model_id: id })).rejects.toMatchObject({ status: 404 })
    expect((await app.client.models.create(aModel(project))).id).not.toBe(id)
  })

  test('what a deleted model left is removed behind, however much it is, and nothing of another model', async () => {
    const project = newProject()
    const [gone, kept] = [await app.client.models.create(aModel(project, 'gone')), await app.client.models.create(aModel(project, 'kept'))]
    for (const { id } of [gone, kept]) await fillModel(app.database, id, 2_001)
    const before = await countsOf(app.database, kept.id)
    expect(Object.values(await countsOf(app.database, gone.id))).toEqual(Object.values(before))
    expect(await app.client.models.delete({ model_id: gone.id })).toMatchObject({ deleted_checkpoints: 2_002 })
    await expect(app.client.checkpoints.list({ model_id: gone.id })).rejects.toMatchObject({ status: 404 })
    const left = async () => Object.values(await countsOf(app.database, gone.id)).reduce((sum, count) => sum + count, 0)
    await expect.poll(left, { timeout: 120_000, interval: 50 }).toBe(0)
    expect(await countsOf(app.database, kept.id)).toEqual(before)
  })

  test('a model of another tenant is not found, whatever is done to it', async () => {
    const { id } = await app.client.models.create(aModel(newProject()))
    const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    for (const attempt of [
      () => stranger.models.read({ model_id: id }),
      () => stranger.models.delete({ model_id: id }),
      () => stranger.checkpoints.list({ model_id: id }),
      () => stranger.checkpoints.delete({ model_id: id, steps: [0] }),
      () => stranger.checkpoints.keep({ model_id: id, step: 0 }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    await expect(stranger.models.create({ entity: 'local', ...aModel(newProject()) })).rejects.toMatchObject({ status: 403 })
    expect((await stranger.models.list({ entity: 'local' })).data).toEqual([])
  })

  test('the steps to delete travel in the body, and unknown ones are listed once each in order', async () => {
    const { id } = await app.client.models.create(aModel(newProject()))
    expect(await app.client.checkpoints.delete({ model_id: id, steps: [] })).toEqual({
      deleted_count: 0,
      not_found_steps: [],
      kept_steps: [],
    })
    const unknown = { deleted_count: 0, not_found_steps: [9, 4], kept_steps: [] }
    expect(await app.client.checkpoints.delete({ model_id: id, steps: [9, 4, 9] })).toEqual(unknown)
    await expect(app.client.checkpoints.delete({ model_id: id, steps: [0] })).rejects.toMatchObject({ status: 409 })
  })

  test('a checkpoint tells its size, and one that is marked as kept is not deleted, nor its model, until the mark is removed', async () => {
    const { id } = await app.client.models.create(aModel(newProject()))
    for (const step of [1, 2, 3]) await addCheckpoint(app, id, step, { 'weights.bin': 'x'.repeat(step * 10), 'config.json': '{}' })
    const kept = await app.client.checkpoints.keep({ model_id: id, step: 1 })
    expect(kept).toMatchObject({ step: 1, size_bytes: 12, kept_by: 'tester', kept_at: expect.stringMatching(/^20.*Z$/) as string })
    expect(await app.client.checkpoints.keep({ model_id: id, step: 1, kept: true })).toEqual(kept)
    expect(await app.client.checkpoints.delete({ model_id: id, steps: [1, 2, 7] })).toEqual({
      deleted_count: 1,
      not_found_steps: [7],
      kept_steps: [1],
    })
    const listed = async () => (await app.client.checkpoints.list({ model_id: id })).data
    expect((await listed()).map(({ step, size_bytes, kept_by }) => [step, size_bytes, kept_by])).toEqual([
      [0, 0, null],
      [1, 12, 'tester'],
      [3, 32, null],
    ])
    await expect(app.client.models.delete({ model_id: id })).rejects.toMatchObject({
      status: 409,
      message: 'checkpoints of the model are marked as kept (steps 1); remove the marks before you delete it',
    })
    expect(await listed()).toHaveLength(3)
    expect(await app.client.checkpoints.keep({ model_id: id, step: 1, kept: false })).toMatchObject({ kept_at: null, kept_by: null })
    expect(await app.client.checkpoints.delete({ model_id: id, steps: [1] })).toMatchObject({ deleted_count: 1, kept_steps: [] })
    await expect(app.client.checkpoints.keep({ model_id: id, step: 1 })).rejects.toMatchObject({ status: 404 })
    expect(await app.client.models.delete({ model_id: id })).toMatchObject({ deleted_checkpoints: 2 })
  })

  test('pages of checkpoints continue after one that was deleted, in both orders', async () => {
    const { id } = await app.client.models.create(aModel(newProject()))
    for (const step of [1, 2, 3, 4]) await addCheckpoint(app, id, step)
    const { data } = await app.client.checkpoints.list({ model_id: id })
    await app.client.checkpoints.delete({ model_id: id, steps: [2] })
    const after = data[2]!.id
    const stepsOf = async (order: 'asc' | 'desc') =>
      (await app.client.checkpoints.list({ model_id: id, after, order })).data.map(({ step }) => step)
    expect([await stepsOf('asc'), await stepsOf('desc')]).toEqual([
      [3, 4],
      [1, 0],
    ])
    await expect(app.client.checkpoints.list({ model_id: id, after: 'nothing' })).rejects.toMatchObject({ status: 404 })
  })

  test('a list is bounded: a limit out of range is refused with its place', async () => {
    const { id } = await app.client.models.create(aModel(newProject()))
    const { status, body } = await send(app, 'GET', `/v1/preview/models/${id}/checkpoints?limit=101&order=up`)
    expect([status, body]).toEqual([
      422,
      {
        detail: [
          { loc: ['query', 'limit'], msg: 'Input should be an integer from 1 to 100', type: 'less_than_equal' },
          { loc: ['query', 'order'], msg: "Input should be 'asc' or 'desc'", type: 'enum' },
        ],
      },
    ])
  })

  test('the archive of a checkpoint is a gzipped tar file that says what it holds', async () => {
    const { id } = await app.client.models.create(aModel(newProject()))
    await addCheckpoint(app, id, 1, { 'weights.bin': 'these are the weights' })
    const { bytes, content_type } = await app.client.checkpoints.archive({ model_id: id, step: 1 })
    expect(content_type).toBe('application/gzip')
    const files = await unpack(bytes)
    expect(files.get('weights.bin')).toBe('these are the weights')
    expect(JSON.parse(files.get('heddle.json') ?? '')).toMatchObject({ format: 1, base_model: 'table', step: 1, files: ['weights.bin'] })
    await expect(app.client.checkpoints.archive({ model_id: id, step: 7 })).rejects.toMatchObject({ status: 404 })
  })

  test('health needs a key, and the system check reports each part', async () => {
    expect((await app.service.fetch(new Request('http://heddle.test/v1/health'))).status).toBe(401)
    expect(await app.client.health.check()).toEqual({ status: 'ok' })
    const check = await app.client.health.systemCheck()
    expect(check).toMatchObject({ api: true, database: true, cpu_queue: { success: true, error: null }, gpu_queue: { success: true } })
    const open = await app.anotherServer({ hasOpenHealth: true })
    const statusOf = async (path: string) => (await open.service.fetch(new Request(`http://heddle.test${path}`))).status
    expect([await statusOf('/v1/health'), await statusOf('/v1/system-check')]).toEqual([200, 401])
    app.engine.health = async () => ({ ok: false, detail: {} })
    const { status, body } = await send(app, 'GET', '/v1//system-check')
    expect([status, body]).toMatchObject([503, { api: true, database: true, gpu_queue: { success: false } }])
  })
})
