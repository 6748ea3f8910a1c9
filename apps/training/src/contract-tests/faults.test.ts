import { randomUUID } from 'node:crypto'
import { type Operation, training } from '@heddle/core-api'
import { diskFullError } from '@heddle/datastore'
import { trials } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aChoice, aGroup } from '../testing/sampled-choice.ts'
import { send } from '../testing/send.ts'
import { holdTraining } from '../testing/hold-training.ts'
import { startTrainingApp, type TrainingApp } from '../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../testing/until-ended.ts'
import { type Place, sampleRequests } from './testing/sample-requests.ts'

let app: TrainingApp
let hasRoom = true
const full = diskFullError({ free: 0, reserve: 1 })
beforeAll(async () => {
  const assertDiskSpace = async () => {
    if (!hasRoom) throw full
  }
  app = await startTrainingApp({ service: { assertDiskSpace, settleEveryMs: 50, fullDiskRetryMs: 10 } })
})
afterAll(() => app.close())
beforeEach(() => {
  hasRoom = true
  app.engine.hooks = {}
})

const newModel = async () => (await app.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })).id
const train = async (model_id: string) => (await app.client.trainingJobs.create({ model_id, trajectory_groups: [aGroup('a', 'b')] })).id
const stepsOf = async (model_id: string) => (await app.client.checkpoints.list({ model_id })).data.map(({ step }) => step)

/** Sampling stores nothing, what a session holds is in memory, and a cancelled job needs no more space. */
const storingNothing: readonly string[] = [
  'chatCompletions.create',
  'completions.create',
  'messages.create',
  'trainingJobs.cancel',
  'fineTuningJobs.cancel',
  'tinker.createSession',
  'tinker.finishSession',
  'tinker.unloadModel',
  'tinker.forwardBackward',
  'tinker.forward',
  'tinker.optimStep',
  'tinker.createSamplingSession',
  'tinker.sample',
  'tinker.cancelFuture',
  'tinker.saveWeightsExternal',
  'tinker.copyWeights',
  'tinker.createCustomLoss',
]

describe('a full disk', () => {
  const operations = Object.entries(training).flatMap(([resource, group]) =>
    Object.entries(group as Record<string, Operation>).map(([key, { effect }]) => ({ name: `${resource}.${key}`, resource, key, effect })),
  )
  const nowhere: Place = {
    entity: 'local',
    project: 'nowhere',
    model_id: randomUUID(),
    address: 'heddle-artifact:///local/nowhere/agent',
    checkpoint_id: randomUUID(),
    job_id: randomUUID(),
    event_id: randomUUID(),
    trajectory_id: 't',
    group_id: 'g',
    response_id: 'resp_nowhere',
    file_id: 'file-nowhere',
    fine_tuning_job_id: 'ftjob-nowhere',
    training_data_url: 'heddle-artifact:///local/nowhere/data:v0',
    session_id: 'nowhere',
    run_id: 'nowhere:train:0',
    sampler_id: 'nowhere:sample:0',
    request_id: 'nowhere',
  }
  type AnyClient = Record<string, Record<string, (input: object) => unknown>>
  const statusOf = async ({ name, resource, key }: (typeof operations)[number]): Promise<number> => {
    const input = sampleRequests[name]?.(nowhere) ?? {}
    const answer = Promise.resolve((app.client as unknown as AnyClient)[resource]![key]!(input))
    return answer.then(
      () => 200,
      (error: { status: number }) => error.status,
    )
  }

  test('refuses each operation that adds data, before it is read, and no other', async () => {
    hasRoom = false
    const refused: string[] = []
    for (const operation of operations) if ((await statusOf(operation)) === 503) refused.push(operation.name)
    const writing = operations.filter(({ effect }) => effect === 'write').map(({ name }) => name)
    expect(refused.toSorted()).toEqual(writing.filter((name) => !storingNothing.includes(name)).toSorted())
  })

  test('refuses a chat completion that would be recorded', async () => {
    const model_id = await newModel()
    hasRoom = false
    const question = { model: model_id, messages: [{ role: 'user', content: 'go' }], max_tokens: 1 }
    expect((await send(app, 'POST', '/v1/chat/completions', question)).status).toBe(200)
    expect((await send(app, 'POST', '/v1/chat/completions', question, { 'x-heddle-trajectory-id': 't' })).status).toBe(503)
  })

  test('fails a job by its name when it stays full, leaves the model as it was, and a later job trains', async () => {
    const model_id = await newModel()
    let writes = 0
    app.engine.hooks.beforeCheckpoint = () => {
      writes++
      throw Object.assign(new Error('ENOSPC: no space left on device, write /secret/path'), { code: 'ENOSPC' })
    }
    const id = await train(model_id)
    const job = await untilEnded(app.client, id)
    expect(job).toMatchObject({ status: 'failed', error_message: 'no space is left on the disk of the server' })
    expect((await allEvents(app.client, id)).map(({ type }) => type)).toEqual(['training_started', 'gradient_step', 'training_failed'])
    expect([writes, await stepsOf(model_id)]).toEqual([3, [0]])
    app.engine.hooks = {}
    expect(await untilEnded(app.client, await train(model_id))).toMatchObject({ status: 'succeeded', step: 1 })
  })
})

describe('numbers that are not finite', () => {
  const trajectory = (choice: object) => ({ messages_and_choices: [{ role: 'user', content: 'go' }, choice], reward: 1 })
  const logprobs = (logprob: unknown) => ({ content: [{ token: 'token_id:97', logprob, bytes: [97], top_logprobs: [] }] })

  test.each([
    ['a reward', { ...trajectory(aChoice('a')), reward: 'NaN' }, ['reward'], 'float_type'],
    ['an infinite reward', { ...trajectory(aChoice('a')), reward: '-Infinity' }, ['reward'], 'float_type'],
    [
      'a log-probability',
      trajectory({ ...aChoice('a'), logprobs: logprobs('NaN') }),
      ['messages_and_choices', '1', 'logprobs', 'content', '0', 'logprob'],
      'float_type',
    ],
    [
      'a log-probability above 0',
      trajectory({ ...aChoice('a'), logprobs: logprobs(0.5) }),
      ['messages_and_choices', '1', 'logprobs', 'content', '0', 'logprob'],
      'less_than_equal',
    ],
    ['a metric', { ...trajectory(aChoice('a')), metrics: { x: 'NaN' } }, ['metrics', 'x'], 'float_type'],
  ])('are refused by their place: %s', async (_, sent, path, type) => {
    const body = { model_id: await newModel(), trajectory_groups: [{ trajectories: [sent] }] }
    const { status, body: refused } = await send(app, 'POST', '/v1/preview/training-jobs', body)
    const loc = ['body', 'trajectory_groups', '0', 'trajectories', '0', ...path]
    expect([status, refused]).toEqual([422, { detail: [expect.objectContaining({ loc, type })] }])
  })

  test('are no JSON when they are written as numbers', async () => {
    const body = `{"model_id":"${await newModel()}","trajectory_groups":[{"trajectories":[{"reward":NaN}]}]}`
    const { status, body: refused } = await send(app, 'POST', '/v1/preview/training-jobs', body)
    expect([status, refused]).toMatchObject([422, { detail: [{ type: 'json_invalid' }] }])
  })
})

describe('a body of trajectories', () => {
  const most = trials({ usual: 1, long: 256 }) * 2 ** 20

  /** JSON of exactly so many bytes: one trajectory of them, or many. */
  function bodyOf(model_id: string, bytes: number, trajectories: number): Buffer {
    const head = `{"model_id":"${model_id}","trajectory_groups":[{"trajectories":[`
    const tail = ']}]}'
    const one = (length: number) => `{"logs":["${'x'.repeat(length - '{"logs":[""]}'.length)}"]}`
    const each = Math.floor((bytes - head.length - tail.length) / trajectories)
    const rest = bytes - head.length - tail.length - each * (trajectories - 1)
    return Buffer.from(head + `${one(each - 1)},`.repeat(trajectories - 1) + one(rest) + tail)
  }

  test('may have as many bytes as it may, and not one more; a trajectory in it has fewer', { timeout: 300_000 }, async () => {
    const roomy = await app.anotherServer({ jobQueue: 'roomy', limits: { maxStagedBytes: most } })
    const { id } = await roomy.client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })
    const statusOf = async (body: Buffer) => {
      const headers = { authorization: `Bearer ${roomy.apiKey}`, 'content-type': 'application/json' }
      const request = new Request('http://heddle.test/v1/preview/training-jobs', { method: 'POST', headers, body: new Uint8Array(body) })
      const response = await roomy.service.fetch(request)
      return [response.status, (await response.json()) as { id?: string; detail?: string }] as const
    }
    const [taken, { id: job = '' }] = await statusOf(bodyOf(id, most, 8))
    expect(taken).toBe(200)
    expect(await untilEnded(roomy.client, job)).toMatchObject({ status: 'succeeded', message: expect.stringMatching(/^no logprobs/) })
    expect(await statusOf(bodyOf(id, most + 1, 8))).toEqual([
      413,
      { detail: expect.stringMatching(/^Request too large: it has .*at most \d+ are/) as string },
    ])
    const piece = 65 * 2 ** 20
    if (most > piece) expect(await statusOf(bodyOf(id, piece, 1))).toEqual([413, { detail: expect.stringContaining('67108864 bytes') }])
    await roomy.close()
  })
})

test('groups without trajectories, and without groups at all, end well with unchanged weights, beside groups that train', async () => {
  const model_id = await newModel()
  const jobs: string[] = []
  for (const trajectory_groups of [[], [{ trajectories: [] }], [{ trajectories: [] }, aGroup('a', 'b'), { trajectories: [] }]])
    jobs.push((await app.client.trainingJobs.create({ model_id, trajectory_groups })).id)
  const ended = []
  for (const id of jobs) ended.push(await untilEnded(app.client, id))
  expect(ended.map(({ status, step }) => [status, step])).toEqual([1, 2, 3].map((step) => ['succeeded', step]))
  expect(ended.map(({ message }) => message?.split(':')[0])).toEqual(['no trajectories', 'no trajectories', undefined])
})

describe('a model with as many jobs as it may have', () => {
  const many = trials({ usual: 12, long: 1_000 })

  test('runs them in order, refuses one more, and takes it when one has ended', { timeout: 600_000 }, async () => {
    const limited = await app.anotherServer({ jobQueue: 'limited', maxUnfinishedJobs: many })
    const { client, engine } = limited
    const { id: model_id } = await client.models.create({ project: `p-${randomUUID()}`, name: 'agent', base_model: 'table' })
    let letGo = () => {}
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    engine.hooks.beforeStep = () => gate
    const body = { model_id, trajectory_groups: [aGroup('a', 'b')] }
    const jobs: string[] = []
    for (let at = 0; at < many; at++) jobs.push((await client.trainingJobs.create(body)).id)
    await expect(client.trainingJobs.create(body)).rejects.toMatchObject({
      status: 429,
      message: `the model "agent" has ${many} training jobs that have not ended; wait for one to end`,
      retryAfterSeconds: 30,
    })
    letGo()
    expect(await untilEnded(client, jobs[0]!)).toMatchObject({ step: 1 })
    jobs.push((await client.trainingJobs.create(body)).id)
    expect(await untilEnded(client, jobs.at(-1)!)).toMatchObject({ status: 'succeeded', step: many + 1 })
    const ended = await Promise.all(jobs.map((job_id) => client.trainingJobs.read({ job_id })))
    expect(ended.map(({ status, step }) => [status, step])).toEqual(jobs.map((_, at) => ['succeeded', at + 1]))
    await limited.close()
  })
})

test('the deletion of a model with a running and a waiting job ends both with an event, and removes what they had', async () => {
  const model_id = await newModel()
  const gate = holdTraining(app)
  const [running, waiting] = [await train(model_id), await train(model_id)]
  await gate.held
  expect(await app.client.models.delete({ model_id })).toMatchObject({ deleted_checkpoints: 1 })
  gate.release()
  for (const id of [running, waiting]) {
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'failed', error_message: 'the model "agent" was deleted' })
    const events = await allEvents(app.client, id)
    expect(events.filter(({ type }) => type === 'training_failed')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'training_failed' })
  }
  await expect(app.client.checkpoints.list({ model_id })).rejects.toMatchObject({ status: 404 })
  const question = { model: model_id, messages: [{ role: 'user', content: 'go' }] }
  expect((await send(app, 'POST', '/v1/chat/completions', question)).status).toBe(404)
  const held = await app.database.selectFrom('blob_references').select('holder').execute()
  expect(held.filter(({ holder }) => [running, waiting, model_id].some((id) => holder.includes(id!)))).toEqual([])
})
