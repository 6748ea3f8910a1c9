import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { optimizerHolder } from '../../blob-holders.ts'
import { aGroup, aTrajectory } from '../../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'

let app: TrainingApp
let project: string
let model_id: string
beforeAll(async () => {
  app = await startTrainingApp({ service: { settleEveryMs: 50 } })
})
afterAll(() => app.close())
beforeEach(async () => {
  project = `p-${randomUUID()}`
  model_id = (await app.client.models.create({ project, name: 'agent', base_model: 'table' })).id
  app.engine.resumed.length = 0
})

const learnFrom = async (group: ReturnType<typeof aGroup>) =>
  untilEnded(app.client, (await app.client.trainingJobs.create({ model_id, trajectory_groups: [group] })).id)
const learn = (...texts: string[]) => learnFrom(aGroup(...texts))

async function imitate() {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: `b ${randomUUID()}` },
  ]
  const bytes = Buffer.from(JSON.stringify({ messages }))
  const { url } = await app.client.trainingData.create({ project, bytes, content_type: 'application/jsonl' })
  return untilEnded(app.client, (await app.client.trainingJobs.createSft({ model_id, training_data_url: url })).id)
}

const heldBlobs = () =>
  app.database.selectFrom('blob_references').select('sha256').where('holder', '=', optimizerHolder(model_id)).execute()

test('a job continues with the optimizer of the job before, also past one that trained nothing', async () => {
  await learn('a', 'b')
  await learn('a', 'c')
  const equal = { trajectories: [aTrajectory('a', 1), aTrajectory('b', 1)] }
  expect(await learnFrom(equal)).toMatchObject({ status: 'succeeded', step: 3, message: expect.stringContaining('equal') })
  await learn('a', 'd')
  expect(app.engine.resumed).toEqual([false, true, true])
})

test('a job of another kind begins with a fresh optimizer', async () => {
  await learn('a', 'b')
  await imitate()
  await imitate()
  await learn('a', 'b')
  expect(app.engine.resumed).toEqual([false, false, true, false])
})

test('each model keeps one state at most, and none when it is deleted', async () => {
  await learn('a', 'b')
  const first = await heldBlobs()
  await learn('a', 'c')
  const second = await heldBlobs()
  expect(second).toHaveLength(first.length)
  expect(second).not.toEqual(first)
  await app.client.models.delete({ model_id })
  expect(await heldBlobs()).toEqual([])
})
