import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type OpenAI, toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { holdTraining } from '../../testing/hold-training.ts'
import { openAiClient } from '../../testing/openai-client.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'

let app: TrainingApp
let openai: OpenAI
const project = `p-${randomUUID()}`
const clientOf = (apiKey: string, options: Parameters<typeof openAiClient>[1] = {}) => openAiClient({ ...app, apiKey }, options)
beforeAll(async () => {
  app = await startTrainingApp()
  openai = clientOf(app.apiKey, { project })
})
afterAll(() => app.close())
beforeEach(() => {
  app.engine.hooks = {}
})

const conversation = (answer: string) => ({
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: answer },
  ],
})
const pair = {
  input: { messages: [{ role: 'user', content: 'go' }] },
  preferred_output: [{ role: 'assistant', content: 'a' }],
  non_preferred_output: [{ role: 'assistant', content: 'b' }],
}
const upload = async (lines: readonly object[], client = openai) => {
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  return (await client.files.create({ file: await toFile(Buffer.from(text), 'data.jsonl'), purpose: 'fine-tune' })).id
}
const someConversations = Array.from({ length: 4 }, () => conversation('ab'))
const allOf = async <Item>(items: AsyncIterable<Item>) => {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
const untilEnded = async (id: string) => {
  for (;;) {
    const job = await openai.fineTuning.jobs.retrieve(id)
    if (job.finished_at !== null) return job
    await delay(40)
  }
}

test('a program of OpenAI’s client uploads, trains, follows, chats with the result and cleans up', async () => {
  const training_file = await upload(someConversations)
  const created = await openai.fineTuning.jobs.create({
    model: 'table',
    training_file,
    suffix: 'orders',
    seed: 42,
    metadata: { team: 'sales' },
    method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3, batch_size: 2, learning_rate_multiplier: 'auto' } } },
  })
  expect(created).toEqual({
    id: expect.stringMatching(/^ftjob-[0-9a-f-]{36}$/) as string,
    object: 'fine_tuning.job',
    created_at: expect.any(Number) as number,
    finished_at: null,
    estimated_finish: null,
    status: expect.stringMatching(/queued|running/) as string,
    model: 'table',
    fine_tuned_model: null,
    organization_id: 'local',
    training_file,
    validation_file: null,
    result_files: [],
    method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3, batch_size: 2, learning_rate_multiplier: 1 } } },
    hyperparameters: { n_epochs: 3, batch_size: 2, learning_rate_multiplier: 1 },
    seed: 42,
    trained_tokens: null,
    error: null,
    metadata: { team: 'sales' },
    integrations: [],
  })

  const job = await untilEnded(created.id)
  expect(job).toMatchObject({ status: 'succeeded', error: null, estimated_finish: null })
  expect(job.fine_tuned_model).toMatch(new RegExp(`^local/${project}/orders-[0-9a-f]{12}:step1$`))
  const events = await allOf(openai.fineTuning.jobs.listEvents(created.id, { limit: 3 }))
  expect(events.map(({ type, level }) => `${type} ${level}`)).toEqual(['message info', ...Array(6).fill('metrics info'), 'message info'])
  expect(events[0]!.message).toBe(`New fine-tuned model: ${job.fine_tuned_model}`)
  expect(events[1]).toMatchObject({
    object: 'fine_tuning.job.event',
    message: expect.stringMatching(/^Step 6\/6: training loss=\d+\.\d{4}$/) as string,
    data: { step: 6, total_steps: 6, train_loss: expect.any(Number) as number },
  })
  expect(events.at(-1)!.message).toBe('Fine-tuning began: 6 steps')
  const tokens = (await app.client.trainingEvents.list({ job_id: job.id.replace('ftjob-', ''), limit: 100 })).data
    .map(({ data }) => (data['num_tokens'] as number | undefined) ?? 0)
    .reduce((sum, count) => sum + count)
  expect(job.trained_tokens).toBe(tokens)

  const { data: checkpoints } = await openai.fineTuning.jobs.checkpoints.list(created.id)
  expect(checkpoints).toEqual([
    {
      id: expect.stringMatching(/^ftckpt-/) as string,
      object: 'fine_tuning.job.checkpoint',
      created_at: job.finished_at,
      fine_tuning_job_id: created.id,
      fine_tuned_model_checkpoint: job.fine_tuned_model,
      step_number: 6,
      metrics: { step: 6, train_loss: (events[1]!.data as { train_loss: number }).train_loss },
    },
  ])
  const answer = await openai.chat.completions.create({
    model: job.fine_tuned_model!,
    messages: [{ role: 'user', content: 'go' }],
    max_tokens: 1,
  })
  expect(answer.model).toBe(job.fine_tuned_model)
  expect(await openai.models.retrieve(job.fine_tuned_model!)).toMatchObject({ owned_by: 'local' })
  expect(await openai.files.delete(training_file)).toMatchObject({ deleted: true })
  expect(await openai.fineTuning.jobs.retrieve(created.id)).toEqual(job)
})

describe('a validation file', () => {
  test('is not learned, and its loss is reported after each pass and with the checkpoint', async () => {
    const training_file = await upload(someConversations)
    const validation_file = await upload([conversation('ba'), conversation('ab')])
    const start = async (files: object) => {
      const hyperparameters = { n_epochs: 2, batch_size: 2 }
      const { id } = await openai.fineTuning.jobs.create({ model: 'table', training_file, seed: 1, hyperparameters, ...files })
      return untilEnded(id)
    }
    const job = await start({ validation_file })
    expect(job).toMatchObject({ status: 'succeeded', validation_file })
    const events = (await allOf(openai.fineTuning.jobs.listEvents(job.id))).toReversed().filter(({ type }) => type === 'metrics')
    const metrics = events.map(({ data }) => data as { train_loss: number; valid_loss?: number; full_valid_loss?: number })
    expect(metrics.map(({ full_valid_loss: loss }) => typeof loss)).toEqual(['undefined', 'number', 'undefined', 'number'])
    expect(metrics[3]!.valid_loss).toBe(metrics[3]!.full_valid_loss)
    expect(metrics[3]!.full_valid_loss).toBeLessThan(metrics[1]!.full_valid_loss!)
    expect(events[3]!.message).toMatch(/^Step 4\/4: training loss=\d+\.\d{4}, full validation loss=\d+\.\d{4}$/)
    const { data: checkpoints } = await openai.fineTuning.jobs.checkpoints.list(job.id)
    expect(checkpoints[0]!.metrics).toEqual({
      step: 4,
      train_loss: metrics[3]!.train_loss,
      valid_loss: metrics[3]!.valid_loss,
      full_valid_loss: metrics[3]!.full_valid_loss,
    })
    const without = await start({})
    const losses = (await allOf(openai.fineTuning.jobs.listEvents(without.id))).toReversed().filter(({ type }) => type === 'metrics')
    expect(losses.map(({ data }) => (data as { train_loss: number }).train_loss)).toEqual(metrics.map(({ train_loss }) => train_loss))
  })

  test('may be deleted once the job is there', async () => {
    const [training_file, validation_file] = [await upload(someConversations), await upload([conversation('b')])]
    const held = holdTraining(app)
    const { id } = await openai.fineTuning.jobs.create({ model: 'table', training_file, validation_file })
    await openai.files.delete(validation_file)
    held.release()
    expect(await untilEnded(id)).toMatchObject({ status: 'succeeded', validation_file })
  })
})

test('a trained model is trained further under its own name, from its newest step alone', async () => {
  const training_file = await upload(someConversations)
  const hyperparameters = { n_epochs: 1 }
  const { id } = await openai.fineTuning.jobs.create({ model: 'table', training_file, hyperparameters })
  const first = (await untilEnded(id)).fine_tuned_model!
  expect(first).toMatch(/\/table-[0-9a-f]{12}:step1$/)
  const again = await openai.fineTuning.jobs.create({ model: first, training_file, hyperparameters })
  expect((await untilEnded(again.id)).fine_tuned_model).toBe(first.replace(':step1', ':step2'))
  await expect(openai.fineTuning.jobs.create({ model: first, training_file })).rejects.toMatchObject({ status: 400, param: 'model' })
  await expect(openai.fineTuning.jobs.create({ model: first.replace(':step1', ''), training_file, suffix: 'other' })).rejects.toMatchObject(
    { status: 400, param: 'suffix' },
  )
})

test('preference pairs are learned by direct preference optimization', async () => {
  const training_file = await upload([pair, pair])
  const { id } = await openai.fineTuning.jobs.create({
    model: 'table',
    training_file,
    method: { type: 'dpo', dpo: { hyperparameters: { beta: 0.2, n_epochs: 2 } } },
  })
  const job = await untilEnded(id)
  expect(job).toMatchObject({
    status: 'succeeded',
    method: { type: 'dpo', dpo: { hyperparameters: { beta: 0.2, n_epochs: 2, batch_size: 2, learning_rate_multiplier: 1 } } },
  })
  const { config } = await app.client.trainingJobs.read({ job_id: id.replace('ftjob-', '') })
  expect(config).toMatchObject({ epochs: 2, batch_size: 2, shuffle: true })
})

test('the same seed gives the same order and the same losses', async () => {
  const training_file = await upload(['ab', 'ba', 'aab', 'bbb'].map(conversation))
  const lossesOf = async (seed: number) => {
    const { id } = await openai.fineTuning.jobs.create({
      model: 'table',
      training_file,
      seed,
      hyperparameters: { n_epochs: 3, batch_size: 1 },
    })
    expect((await untilEnded(id)).seed).toBe(seed)
    const events = await allOf(openai.fineTuning.jobs.listEvents(id))
    return events.flatMap(({ data }) => (data as { train_loss?: number }).train_loss ?? [])
  }
  const [first, second, other] = [await lossesOf(1), await lossesOf(1), await lossesOf(2)]
  expect(first).toHaveLength(12)
  expect(second).toEqual(first)
  expect(other).not.toEqual(first)
})

describe('a job that does not succeed', () => {
  test('is cancelled while it runs', async () => {
    const training_file = await upload(someConversations)
    const held = holdTraining(app)
    const { id } = await openai.fineTuning.jobs.create({ model: 'table', training_file })
    await held.held
    expect(await openai.fineTuning.jobs.retrieve(id)).toMatchObject({ status: 'running', fine_tuned_model: null, trained_tokens: null })
    await openai.fineTuning.jobs.cancel(id)
    held.release()
    expect(await untilEnded(id)).toMatchObject({ status: 'cancelled', error: null, fine_tuned_model: null })
    expect((await openai.fineTuning.jobs.listEvents(id)).data[0]).toMatchObject({ level: 'warn', message: 'the job was cancelled' })
    expect((await openai.fineTuning.jobs.checkpoints.list(id)).data).toEqual([])
    expect(await openai.fineTuning.jobs.cancel(id)).toMatchObject({ status: 'cancelled' })
  })

  test('has failed where nothing of the file could be learned', async () => {
    const [question, answer] = conversation('a').messages
    const training_file = await upload([{ messages: [question, { ...answer, weight: 0 }] }])
    const { id } = await openai.fineTuning.jobs.create({ model: 'table', training_file })
    const job = await untilEnded(id)
    expect(job).toMatchObject({
      status: 'failed',
      fine_tuned_model: null,
      error: { code: 'training_failed', message: expect.stringContaining('no assistant text') as string, param: null },
    })
    expect((await openai.fineTuning.jobs.listEvents(id)).data[0]).toMatchObject({ level: 'error', message: job.error!.message })
    expect((await openai.fineTuning.jobs.checkpoints.list(id)).data).toEqual([])
  })
})

describe('a request that cannot be carried out is refused by its field, and makes no model:', () => {
  const cases: [string, object, number, string][] = [
    ['a file that is not there', { training_file: 'file-none' }, 404, 'training_file'],
    ['a model that is not there', { model: 'gpt-4o-mini' }, 404, 'model'],
    ['a suffix that no name has', { suffix: 'a/b' }, 400, 'suffix'],
    ['another method than the file is for', { method: { type: 'dpo' } }, 400, 'training_file'],
    ['a method that rewards', { method: { type: 'reinforcement' } }, 400, 'method.type'],
    ['a validation file that is not there', { validation_file: 'file-none' }, 404, 'validation_file'],
    ['integrations', { integrations: [{ type: 'wandb', wandb: { project: 'p' } }] }, 400, 'integrations'],
    ['too many passes', { hyperparameters: { n_epochs: 101 } }, 422, 'hyperparameters.n_epochs'],
    ['a rate below 0', { hyperparameters: { learning_rate_multiplier: -1 } }, 400, 'hyperparameters.learning_rate_multiplier'],
    [
      'a rate below 0 of a method',
      { method: { type: 'supervised', supervised: { hyperparameters: { learning_rate_multiplier: -1 } } } },
      400,
      'method.supervised.hyperparameters.learning_rate_multiplier',
    ],
  ]
  let training_file: string
  beforeAll(async () => {
    training_file = await upload(someConversations)
  })

  test.each(cases)('%s', async (_what, fields, status, param) => {
    const before = await app.client.models.list({ limit: 100 })
    const attempt = openai.fineTuning.jobs.create({ model: 'table', training_file, ...fields })
    await expect(attempt).rejects.toMatchObject({ status, param })
    expect(await app.client.models.list({ limit: 100 })).toEqual(before)
  })

  test('too few lines of a gradient step, with the range', async () => {
    const hyperparameters = { batch_size: 0 }
    await expect(openai.fineTuning.jobs.create({ model: 'table', training_file, hyperparameters })).rejects.toThrow(
      '422 body.hyperparameters.batch_size: Input should be an integer from 1 to 10000',
    )
  })

  test('a validation file of another kind than the method learns', async () => {
    const validation_file = await upload([pair])
    await expect(openai.fineTuning.jobs.create({ model: 'table', training_file, validation_file })).rejects.toMatchObject({
      status: 400,
      param: 'validation_file',
      message: expect.stringContaining('holds preference pairs') as string,
    })
  })

  test('a job that does not fit into memory, which says both figures', async () => {
    const before = await app.client.models.list({ limit: 100 })
    const [needed, limit] = [64 * 2 ** 20, 32 * 2 ** 20]
    app.engine.hooks.memory = { weights: 0, training: needed, activations: 0, needed, limit, process: needed, machine: null }
    const attempt = openai.fineTuning.jobs.create({ model: 'table', training_file })
    await expect(attempt).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/needs 64 MiB .* has 32 MiB/) })
    expect(await app.client.models.list({ limit: 100 })).toEqual(before)
  })

  test('a file with wrong lines, whose first is named', async () => {
    const wrong = await upload([conversation('a'), { messages: [] }])
    const attempt = openai.fineTuning.jobs.create({ model: 'table', training_file: wrong })
    await expect(attempt).rejects.toMatchObject({
      status: 400,
      param: 'training_file',
      message: expect.stringContaining('line 2 of the training data has no `messages`') as string,
    })
  })
})

describe('the jobs of a list', () => {
  test('are those of a project that were created here, newest first, in pages', async () => {
    const client = clientOf(app.apiKey, { project: `p-${randomUUID()}` })
    const training_file = await upload(someConversations, client)
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.push((await client.fineTuning.jobs.create({ model: 'table', training_file })).id)
    for (const id of ids) await untilEnded(id)
    const listed = await allOf(client.fineTuning.jobs.list({ limit: 2 }))
    expect(listed.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(listed[0]).toEqual(await client.fineTuning.jobs.retrieve(ids[2]!))
    await expect(client.fineTuning.jobs.list({ after: 'ftjob-none' })).rejects.toMatchObject({ status: 404 })
  })

  test('are hidden from another tenant, and so is a job that was created elsewhere', async () => {
    const training_file = await upload(someConversations)
    const { id } = await openai.fineTuning.jobs.create({ model: 'table', training_file })
    await untilEnded(id)
    const { secret } = await app.identity.createKey({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    const stranger = clientOf(secret)
    for (const attempt of [
      () => stranger.fineTuning.jobs.retrieve(id),
      () => stranger.fineTuning.jobs.cancel(id),
      () => stranger.fineTuning.jobs.listEvents(id),
      () => stranger.fineTuning.jobs.checkpoints.list(id),
      () => stranger.fineTuning.jobs.create({ model: 'table', training_file }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    expect((await stranger.fineTuning.jobs.list()).data).toEqual([])
    const { url } = await app.client.trainingData.create({
      project,
      bytes: Buffer.from(JSON.stringify(conversation('a'))),
      content_type: 'application/jsonl',
    })
    const { id: model_id } = await app.client.models.create({ project, name: `m-${randomUUID()}`, base_model: 'table' })
    const { id: other } = await app.client.trainingJobs.createSft({ model_id, training_data_url: url })
    await expect(openai.fineTuning.jobs.retrieve(`ftjob-${other}`)).rejects.toMatchObject({ status: 404 })
  })
})

const postgres = inject('postgresUrl') === '' ? [] : [inject('postgresUrl')]

test.each(postgres)('jobs, events and checkpoints are the same on PostgreSQL', async (postgresUrl) => {
  const stored = await startTrainingApp({ postgresUrl })
  try {
    const { client } = stored
    const { id: training_file } = await client.trainingFiles.create({
      'openai-project': project,
      purpose: 'fine-tune',
      files: [{ field: 'file', filename: 'a.jsonl', content_type: 'application/jsonl', bytes: Buffer.from(JSON.stringify(pair)) }],
    })
    const { id } = await client.fineTuningJobs.create({ model: 'table', training_file, method: { type: 'dpo' } })
    const untilDone = async () => {
      for (;;) {
        const job = await client.fineTuningJobs.read({ fine_tuning_job_id: id })
        if (job.finished_at !== null) return job
        await delay(40)
      }
    }
    const job = await untilDone()
    expect(job).toMatchObject({ status: 'succeeded', trained_tokens: expect.any(Number) as number })
    expect((await client.fineTuningJobs.list({})).data).toEqual([job])
    const { data: events } = await client.fineTuningJobs.events({ fine_tuning_job_id: id })
    expect(events.map(({ type }) => type)).toEqual(['message', 'metrics', 'message'])
    expect((await client.fineTuningJobs.checkpoints({ fine_tuning_job_id: id })).data).toMatchObject([
      { fine_tuned_model_checkpoint: job.fine_tuned_model, step_number: 1, metrics: { step: 1 } },
    ])
  } finally {
    await stored.close()
  }
})
