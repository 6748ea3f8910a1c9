import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { holdTraining } from '../../testing/hold-training.ts'
import { createTestClient, startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { aDatum, openTinker } from './testing/tinker-client.ts'

const minute = 60_000_000
let app: TrainingApp
let now = Date.now() * 1_000
beforeAll(async () => {
  const tinkerLimits = {
    questionMs: 50,
    silenceMs: 300_000,
    sweepEveryMs: 50,
    sessions: 40,
    sessionsOfProject: 3,
    ofSession: 3,
    keptBytes: 40_000,
  }
  app = await startTrainingApp({ service: { clock: () => now, tinkerLimits } })
})
afterAll(() => app.close())

const open = async () => {
  const client = await openTinker(app)
  // It may have ended.
  onTestFinished(() =>
    client.close().then(
      () => undefined,
      () => undefined,
    ),
  )
  return client
}
const datum = aDatum([97, 98, 99])

describe('a session', () => {
  test('is of the project that it names, else of the only one of the key, else of the default one', async () => {
    const own = await app.client.tinker.createSession({ project_id: 'one' })
    const { listSessions } = app.client.tinker
    expect((await listSessions({})).sessions).toContain(own.session_id)
    const projectOf = async (server: Pick<TrainingApp, 'client' | 'service' | 'apiKey'>) => {
      const opened = await openTinker(server, null)
      const id = await opened.createModel({ base_model: 'table' })
      const { heddle_model } = await server.client.tinker.readRun({ run_id: id })
      await opened.close()
      return heddle_model.split('/').slice(0, 2).join('/')
    }
    expect(await projectOf(app)).toBe('local/default')
    const projects = [{ project_id: 'local/bound', role: 'writer' as const }]
    const { secret: apiKey } = await app.identity.createKey({ name: 'bound', role: 'writer', entity: 'local', projects })
    expect(await projectOf({ ...app, apiKey, client: createTestClient(app.service, apiKey) })).toBe('local/bound')
  })

  test('says what it holds, until it is finished', async () => {
    const client = await open()
    const id = await client.createModel({ base_model: 'table' })
    const { session_id } = client
    expect(await app.client.tinker.readSession({ session_id })).toMatchObject({ training_run_ids: [id], sampler_ids: [] })
    expect(await app.client.tinker.finishSession({ session_id })).toBeNull()
    await expect(app.client.tinker.heartbeat({ session_id })).rejects.toMatchObject({ status: 410 })
    await expect(client.pass(id, [datum])).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('is not held for training'),
    })
  })

  test('that was silent for a minute ends where another one needs the room of its models, the longest silent first', async () => {
    const project = `p-${randomUUID()}`
    const [silent, later, heard] = [await openTinker(app, project), await openTinker(app, project), await openTinker(app, project)]
    onTestFinished(() => heard.close().then(() => undefined))
    const hold = (client: typeof silent, count: number) =>
      Promise.all(Array.from({ length: count }, (_, model_seq_id) => client.createModel({ base_model: 'table', model_seq_id })))
    await hold(silent, 2)
    now += minute / 2
    await hold(later, 2)
    now += minute / 4
    await expect(heard.createModel({ base_model: 'table' })).rejects.toThrow('the sessions of this project hold 4 models')
    now += minute / 4
    await hold(heard, 2)
    const { heartbeat } = app.client.tinker
    await expect(heartbeat({ session_id: silent.session_id })).rejects.toMatchObject({ status: 410 })
    expect(await heartbeat({ session_id: later.session_id })).toEqual({ type: 'session_heartbeat' })
    await later.close()
  })

  test('ends after minutes of silence, and releases its models; heartbeats keep it open', async () => {
    const [silent, kept] = [await open(), await open()]
    const id = await silent.createModel({ base_model: 'table' })
    for (let minutes = 0; minutes < 6; minutes++) {
      now += minute
      await app.client.tinker.heartbeat({ session_id: kept.session_id })
    }
    await expect.poll(async () => (await app.client.tinker.listSessions({ limit: 1_000 })).sessions).not.toContain(silent.session_id)
    expect((await app.client.tinker.listSessions({ limit: 1_000 })).sessions).toContain(kept.session_id)
    await expect(app.client.tinker.readInfo({ model_id: id })).rejects.toMatchObject({ status: 404 })
  })

  test('that ends fails what it works on', async () => {
    const client = await open()
    const id = await client.createModel({ base_model: 'table' })
    const gap = await app.client.tinker.optimStep({ model_id: id, seq_id: 9, adam_params: {} })
    await app.client.tinker.finishSession({ session_id: client.session_id })
    await expect(client.read(gap)).rejects.toThrow(`server: session "${client.session_id}" is not open`)
  })

  test('is one of a bounded number of its project, and takes no room from others', async () => {
    const project_id = `p-${randomUUID()}`
    const { createSession, finishSession } = app.client.tinker
    const opened = [await createSession({ project_id }), await createSession({ project_id }), await createSession({ project_id })]
    await expect(createSession({ project_id })).rejects.toMatchObject({ status: 429, message: expect.stringContaining('of one project') })
    await finishSession(await createSession({ project_id: `p-${randomUUID()}` }))
    await finishSession(opened.pop()!)
    opened.push(await createSession({ project_id }))
    for (const session of opened) await finishSession(session)
  })

  test('has a bounded number of requests that are not done', async () => {
    const client = await open()
    const model_id = await client.createModel({ base_model: 'table' })
    for (const seq_id of [2, 3, 4]) await app.client.tinker.optimStep({ model_id, seq_id, adam_params: {} })
    await expect(app.client.tinker.optimStep({ model_id, seq_id: 5, adam_params: {} })).rejects.toMatchObject({ status: 429 })
    await app.client.tinker.finishSession({ session_id: client.session_id })
  })
})

const statusOf = (promised: { request_id: string }) =>
  app.client.tinker.retrieveFuture(promised).then(
    () => 200,
    ({ status }: { status: number }) => status,
  )

describe('a result', () => {
  test('that is not there within the time is requested again', async () => {
    const client = await open()
    const model_id = await client.createModel({ base_model: 'table' })
    await client.pass(model_id, [datum])
    const { held, release } = holdTraining(app)
    const promised = await app.client.tinker.optimStep({ ...client.nextOf(model_id), adam_params: {} })
    await held
    await expect(app.client.tinker.retrieveFuture(promised)).rejects.toMatchObject({
      status: 408,
      message: expect.stringContaining('ask again'),
    })
    release()
    await expect.poll(() => client.read(promised).catch(() => null)).toMatchObject({ type: 'optim_step' })
  })

  test('is there again for some minutes, and then no more', async () => {
    const client = await open()
    const model_id = await client.createModel({ base_model: 'table' })
    const promised = await app.client.tinker.optimStep({ ...client.nextOf(model_id), adam_params: {} })
    expect(await client.read(promised)).toEqual(await client.read(promised))
    now += 11 * minute
    await expect.poll(() => statusOf(promised)).toBe(404)
  })

  test('gives way to newer ones when together they are too large', async () => {
    const client = await open()
    const model_id = await client.createModel({ base_model: 'table' })
    const first = await app.client.tinker.optimStep({ ...client.nextOf(model_id), adam_params: {} })
    await client.read(first)
    await client.pass(
      model_id,
      Array.from({ length: 200 }, () => aDatum(Array.from({ length: 60 }, () => 97))),
      { forwardOnly: true },
    )
    await expect(client.read(first)).rejects.toThrow('404: {"detail":"there is no result of request')
  })

  test('that fails unexpectedly says no more than that', async () => {
    const client = await open()
    const model_id = await client.createModel({ base_model: 'table' })
    await client.pass(model_id, [datum])
    app.engine.hooks.beforeStep = () => {
      delete app.engine.hooks.beforeStep
      throw new Error('secret path /srv/x')
    }
    await expect(client.step(model_id)).rejects.toThrow('server: Internal server error')
    await expect(client.step(model_id)).resolves.toMatchObject({ type: 'optim_step' })
  })
})

test('after a restart of the server a client is told what is lost, and continues from what it saved', async () => {
  const client = await open()
  const id = await client.createModel({ base_model: 'table' })
  await client.pass(id, [datum])
  await client.step(id, { learning_rate: 0.5 })
  const path = await client.save(id, 'kept')
  const expected = await client.pass(id, [datum], { forwardOnly: true })
  const restarted = await app.anotherServer()
  const { tinker } = restarted.client
  await expect(tinker.heartbeat({ session_id: client.session_id })).rejects.toMatchObject({ status: 410 })
  await expect(tinker.optimStep({ model_id: id, seq_id: 4, adam_params: {} })).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining(
      'What was not saved is lost; go on from saved weights with create_training_client_from_state_with_optimizer',
    ),
  })
  const again = await openTinker(restarted, client.project)
  const promised = await tinker.loadWeights({ session_id: again.session_id, model_seq_id: 0, path, optimizer: true })
  const { model_id } = await again.read<{ model_id: string }>(promised)
  expect((await again.pass(model_id, [datum], { forwardOnly: true })).metrics).toEqual(expected.metrics)
})

test('an address is removed when its time is over', async () => {
  const client = await open()
  const id = await client.createModel({ base_model: 'table' })
  const path = await client.save(id, 'short', { ttl_seconds: 3_600 })
  const { checkpoints } = await app.client.tinker.listRunWeights({ run_id: id })
  expect(checkpoints).toMatchObject([{ tinker_path: path, expires_at: expect.any(String) }])
  now += 61 * minute
  expect((await app.client.tinker.listRunWeights({ run_id: id })).checkpoints).toEqual([])
})

test('a key that may only read neither opens a session nor trains', async () => {
  const reader = await app.clientFor({ name: 'reader', role: 'reader', entity: 'local' })
  await expect(reader.tinker.createSession({ project_id: `p-${randomUUID()}` })).rejects.toMatchObject({ status: 403 })
  const client = await open()
  const id = await client.createModel({ base_model: 'table' })
  await expect(reader.tinker.optimStep({ model_id: id, adam_params: {} })).rejects.toMatchObject({ status: 404 })
  expect(await reader.tinker.readRun({ run_id: id })).toMatchObject({ training_run_id: id })
})

test('a key may be sent with the prefix that clients of the Tinker API ask for', async () => {
  const headers = { 'x-api-key': `tml-${app.apiKey}` }
  const answer = await app.service.fetch(new Request('http://heddle.test/api/v1/get_server_capabilities', { headers }))
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { supported_models: [{ model_name: 'table', max_context_length: 512, trainable: true, sampleable: true }] },
  ])
})
