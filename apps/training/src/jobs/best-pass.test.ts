import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTrainingApp, type TestClient, type TrainingApp } from '../testing/start-training-app.ts'
import { allEvents, untilEnded } from '../testing/until-ended.ts'

let app: TrainingApp
beforeAll(async () => {
  const runLimits = { recoverySteps: 1, recoveryShare: 1, recoveryBytesPerSecond: Infinity }
  app = await startTrainingApp({ service: { settleEveryMs: 50, runLimits } })
})
afterAll(() => app.close())

// What is held out agrees with the others about all but its answer: its loss falls, and rises again.
const answers = ['ab', 'ac', 'ad', 'ae', 'ah', 'az', 'af', 'ag', 'ab', 'ac']
const line = (content: string) =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content },
    ],
  })}\n`
const config = { batch_size: 9, held_out: 0.1, learning_rate: 0.3 }

async function start(client: TestClient, more: object): Promise<{ model_id: string; id: string }> {
  const project = `p-${randomUUID()}`
  const { id: model_id } = await client.models.create({ project, name: 'agent', base_model: 'table' })
  const bytes = Buffer.from(answers.map(line).join(''))
  const { url } = await client.trainingData.create({ project, bytes, content_type: 'application/jsonl' })
  const { id } = await client.trainingJobs.createSft({ model_id, training_data_url: url, config: { ...config, ...more } })
  return { model_id, id }
}

/** The checkpoint of a job with its optimizer, and the losses of its passes. */
async function outcomeOf({ model_id, id }: { model_id: string; id: string }) {
  expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', step: 1 })
  const { files, metrics } = await app.database
    .selectFrom('checkpoints')
    .select(['files', 'metrics'])
    .where('job_id', '=', id)
    .executeTakeFirstOrThrow()
  const { optimizer_state } = await app.database
    .selectFrom('trained_models')
    .select('optimizer_state')
    .where('id', '=', model_id)
    .executeTakeFirstOrThrow()
  const passes = (await allEvents(app.client, id)).filter(({ type }) => type === 'gradient_step')
  return {
    files: JSON.parse(files) as object,
    optimizer: JSON.parse(optimizer_state!) as object,
    loss: (JSON.parse(metrics) as Record<string, number>)['held_out_loss'],
    losses: passes.map(({ data }) => data['held_out_loss'] as number),
  }
}

test(
  'the pass with the lowest held-out loss is served, with its optimizer, also when the server is cut after it',
  { timeout: 120_000 },
  async () => {
    const stopped = await outcomeOf(await start(app.client, { epochs: 60, early_stop: 3 }))
    const lowest = Math.min(...stopped.losses)
    const best = stopped.losses.indexOf(lowest) + 1
    expect(stopped.losses.length).toBe(best + 3)
    expect(stopped.loss).toBe(lowest)
    const shorter = await outcomeOf(await start(app.client, { epochs: best }))
    expect(stopped).toMatchObject({ files: shorter.files, optimizer: shorter.optimizer, loss: shorter.loss })

    const first = await app.anotherServer({ jobQueue: 'best' })
    let onReached = () => {}
    const reached = new Promise<void>((resolve) => (onReached = resolve))
    first.engine.hooks.beforeStep = async (made, signal) => {
      if (made !== best + 2) return
      delete first.engine.hooks.beforeStep
      onReached()
      await new Promise((_, reject) => void signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    }
    const job = await start(first.client, { epochs: 60, early_stop: 3 })
    await reached
    await first.close()
    const second = await app.anotherServer({ jobQueue: 'best' })
    await untilEnded(second.client, job.id)
    expect(second.engine.resumed).toEqual([true])
    expect(await outcomeOf(job)).toEqual(stopped)
    await second.close()
  },
)
