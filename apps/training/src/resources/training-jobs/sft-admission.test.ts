import { afterAll, beforeAll, expect, test } from 'vitest'
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
  expect(await trainingJobs.estimateSft({ model_id, examples: 1, config: { rank: 2 } })).toMatchObject({ adapter: { rank: 2, alpha: 4 } })
  expect(await untilEnded(tiny.app.client, (await create({ rank: 2 })).id)).toMatchObject({ status: 'succeeded' })
  const refused = { status: 400, message: expect.stringContaining('rank 4: the model already has an adapter of rank 2') }
  await expect(create({ rank: 4 })).rejects.toMatchObject(refused)
  await expect(trainingJobs.estimateSft({ model_id, examples: 1, config: { rank: 4 } })).rejects.toMatchObject(refused)
  expect(await trainingJobs.estimateSft({ model_id, examples: 1 })).toMatchObject({ adapter: { rank: 2, alpha: 4 } })
  expect(await untilEnded(tiny.app.client, (await create({ learning_rate: 0.1 })).id)).toMatchObject({ status: 'succeeded', step: 2 })
})

test('an estimate has what the job will do, and refuses what its creation would', async () => {
  const { trainingJobs } = tiny.app.client
  expect(await trainingJobs.estimateSft({ base_model: 'tiny', examples: 10, config: { held_out: 0.2, epochs: 2 } })).toEqual({
    base_model: 'tiny',
    learning_rate: 0.01,
    held_out: 2,
    steps: 8,
    adapter: { rank: 4, alpha: 8 },
  })
  const estimate = (more: object) => trainingJobs.estimateSft({ base_model: 'tiny', examples: 1, ...more })
  await expect(estimate({ config: { early_stop: 1 } })).rejects.toMatchObject({ status: 400, message: expect.stringMatching(/held_out/) })
  await expect(estimate({ base_model: 'none' })).rejects.toMatchObject({ message: expect.stringContaining('this server has tiny') })
  await expect(estimate({ base_model: null })).rejects.toMatchObject({ message: expect.stringContaining('send the id of the model') })
})
