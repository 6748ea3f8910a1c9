import type { Outgoing } from '@heddle/outgoing'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createEmbeddedEngine } from '../../engine/embedded/embedded-engine.ts'
import type { TestClient } from '../../testing/start-training-app.ts'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'

let tiny: TinyApp
beforeAll(async () => {
  tiny = await startTinyApp()
})
afterAll(() => tiny.close())

const line = JSON.stringify({
  messages: [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'yes' },
  ],
})

const allModules = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj']

/** Uploads a conversation for a new model. */
async function newModel() {
  const { client } = tiny.app
  const { id: model_id, name } = await tiny.createModel()
  const project = name.split('/')[1]!
  const { url } = await client.trainingData.create({ project, bytes: Buffer.from(`${line}\n`), content_type: 'application/jsonl' })
  const create = (config: Record<string, unknown>) => client.trainingJobs.createSft({ model_id, training_data_url: url, config })
  return { model_id, create }
}

test('a rank beyond that of the server is refused when the job is created and estimated, with both numbers', async () => {
  const { model_id, create } = await newModel()
  const refused = { status: 400, message: expect.stringMatching(/^rank 257: this server trains adapters of rank 256 at most; choose/) }
  await expect(create({ rank: 257 })).rejects.toMatchObject(refused)
  const { trainingJobs } = tiny.app.client
  await expect(trainingJobs.estimateSft({ model_id, examples: 1, config: { rank: 257 } })).rejects.toMatchObject(refused)
  await expect(trainingJobs.estimateSft({ base_model: 'tiny', examples: 1, config: { rank: 257 } })).rejects.toMatchObject(refused)
  expect((await trainingJobs.list({ model_id })).data).toEqual([])
})

test('a rank other than that of the adapter of the model is refused when the job is created and estimated', async () => {
  const { model_id, create } = await newModel()
  const { trainingJobs } = tiny.app.client
  expect(await trainingJobs.estimateSft({ model_id, examples: 1, config: { rank: 2 } })).toMatchObject({
    adapter: { rank: 2, alpha: 4, target_modules: allModules },
  })
  expect(await untilEnded(tiny.app.client, (await create({ rank: 2 })).id)).toMatchObject({ status: 'succeeded' })
  const refused = { status: 400, message: expect.stringContaining('rank 4: the model already has an adapter of rank 2') }
  await expect(create({ rank: 4 })).rejects.toMatchObject(refused)
  await expect(trainingJobs.estimateSft({ model_id, examples: 1, config: { rank: 4 } })).rejects.toMatchObject(refused)
  expect(await trainingJobs.estimateSft({ model_id, examples: 1 })).toMatchObject({
    adapter: { rank: 2, alpha: 4, target_modules: allModules },
  })
  expect(await untilEnded(tiny.app.client, (await create({ learning_rate: 0.1 })).id)).toMatchObject({ status: 'succeeded', step: 2 })
})

test('an adapter of some linear layers is trained on by later jobs, which cannot choose others, and unknown ones are refused by name', async () => {
  const { model_id, create } = await newModel()
  const { client } = tiny.app
  const target_modules = ['v_proj', 'q_proj']
  const unknown = {
    status: 400,
    message: expect.stringContaining('target_modules: "c_attn" is not a linear layer of a block; choose from q_proj'),
  }
  await expect(create({ target_modules: ['q_proj', 'c_attn'] })).rejects.toMatchObject(unknown)
  await expect(create({ target_modules: [] })).rejects.toMatchObject({ message: expect.stringContaining('target_modules is empty') })
  const { id } = await create({ target_modules })
  expect(await untilEnded(client, id)).toMatchObject({ status: 'succeeded' })
  const [started] = (await client.trainingEvents.list({ job_id: id })).data
  expect(started!.data).toMatchObject({ config: { target_modules: ['q_proj', 'v_proj'] } })
  // The same in another order is the same job.
  expect(await create({ target_modules: ['q_proj', 'v_proj'] })).toEqual({ id, created: false })
  await expect(create({ target_modules: ['q_proj'] })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('the model already has an adapter of q_proj, v_proj'),
  })
  expect(await untilEnded(client, (await create({ learning_rate: 0.1 })).id)).toMatchObject({ status: 'succeeded', step: 2 })
  expect(await client.trainingJobs.estimateSft({ model_id, examples: 1 })).toMatchObject({
    adapter: { target_modules: ['q_proj', 'v_proj'] },
  })
})

test('an estimate has what the job will do, and refuses what its creation would', async () => {
  const { trainingJobs } = tiny.app.client
  expect(await trainingJobs.estimateSft({ base_model: 'tiny', examples: 10, config: { held_out: 0.2, epochs: 2 } })).toEqual({
    base_model: 'tiny',
    learning_rate: 0.01,
    held_out: 2,
    steps: 8,
    longest_tokens: null,
    context_tokens: 768,
    adapter: { rank: 4, alpha: 8, target_modules: allModules },
    memory: {
      weights_bytes: expect.any(Number),
      training_bytes: expect.any(Number),
      activations_bytes: expect.any(Number),
      needed_bytes: expect.any(Number),
      limit_bytes: 64 * 2 ** 20,
      process_bytes: expect.any(Number),
    },
  })
  const estimate = (more: object) => trainingJobs.estimateSft({ base_model: 'tiny', examples: 1, ...more })
  await expect(estimate({ config: { early_stop: 1 } })).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/held_out/) })
  await expect(estimate({ base_model: 'none' })).rejects.toMatchObject({ message: expect.stringContaining('this server has tiny') })
  await expect(estimate({ base_model: null })).rejects.toMatchObject({ message: expect.stringContaining('send the id of the model') })
})

test('memory grows with the longest line, and a job that does not fit is refused before it begins, with both figures and what to lower', async () => {
  const { folder, ...base } = (await tiny.engine.baseModels())[0]!
  const bases = [{ ...base, folder, id: 'tiny' }]
  const entry = new URL('model-engine-child.js', inject('builtChildren'))
  let fetched = ''
  const outgoing: Outgoing = {
    open: () => Promise.reject(new Error('the data are read as a whole')),
    send: async ({ url }) => ({ status: 200, headers: {}, bytes: Buffer.from(fetched), url: String(url) }),
  }
  const start = async (memoryBytes: number) => {
    const engine = createEmbeddedEngine({ entry, baseModels: bases, memoryBytes, threads: 1 })
    onTestFinished(() => engine.close())
    const server = await tiny.app.anotherServer({ engine, outgoing })
    onTestFinished(() => server.close())
    return server.client
  }
  const long = JSON.stringify({ messages: [...JSON.parse(line).messages.slice(0, 1), { role: 'assistant', content: 'word '.repeat(100) }] })
  const config = { batch_size: 1 }
  const neededOf = async (client: TestClient, longest_example: string) =>
    (await client.trainingJobs.estimateSft({ base_model: 'tiny', examples: 1, config, longest_example })).memory!.needed_bytes
  const roomy = await start(64 * 2 ** 20)
  const [short, most] = [await neededOf(roomy, line), await neededOf(roomy, long)]
  expect(short).toBeLessThan(most)
  const estimate = { base_model: 'tiny', examples: 1, longest_example: long }
  const { longest_tokens, context_tokens } = await roomy.trainingJobs.estimateSft(estimate)
  expect(longest_tokens).toBeGreaterThan(400)
  expect(context_tokens).toBe(768)
  expect(await roomy.trainingJobs.estimateSft({ ...estimate, longest_example: null })).toMatchObject({ longest_tokens: null })

  const tight = await start(short)
  expect(await neededOf(tight, line)).toBe(short)
  const refused = {
    status: 400,
    message: expect.stringMatching(
      /^the job needs \d+ MiB of memory for models, and this server has \d+ MiB .*lower the rank, the batch size/,
    ),
  }
  await expect(neededOf(tight, long)).rejects.toMatchObject(refused)
  const project = `tight-${short}`
  const { id: model_id } = await tight.models.create({ project, name: 'agent', base_model: 'tiny' })
  const createFrom = (training_data_url: string) => tight.trainingJobs.createSft({ model_id, training_data_url, config })
  const create = async (text: string) => {
    const { url } = await tight.trainingData.create({
      project,
      bytes: Buffer.from(`${line}\n${text}\n`),
      content_type: 'application/jsonl',
    })
    return createFrom(url)
  }
  const createFetched = (text: string) => {
    fetched = `${line}\n${text}\n`
    return createFrom('https://data.example/train.jsonl')
  }
  await expect(create(long)).rejects.toMatchObject(refused)
  await expect(createFetched(long)).rejects.toMatchObject(refused)
  expect((await tight.trainingJobs.list({ model_id })).data).toEqual([])
  expect(await untilEnded(tight, (await create(line)).id)).toMatchObject({ status: 'succeeded' })
  expect(await untilEnded(tight, (await createFetched(`${line}\n${line}`)).id)).toMatchObject({ status: 'succeeded' })
})
