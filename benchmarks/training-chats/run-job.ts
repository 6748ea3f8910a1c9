import { setTimeout as delay } from 'node:timers/promises'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { BenchServer } from '../server/start-server.ts'

export interface JobPlan {
  baseModel: string
  /** Conversations of the training data, each of about so many characters. */
  conversations: number
  characters: number
}

/** Runs `during` while a job trains, from its first gradient step on, and cancels the job. `steps`: those that were made meanwhile. */
export async function whileJobTrains<T>(
  { url: baseUrl, apiKey }: BenchServer,
  { baseModel, conversations, characters }: JobPlan,
  during: () => Promise<T>,
): Promise<{ result: T; steps: number }> {
  const client = createClient({ baseUrl, apiKey, contract: training })
  const where = { entity: 'bench', project: 'training' }
  const model = await client.models.create({ ...where, name: `learner-${Date.now()}`, base_model: baseModel })
  const line = JSON.stringify({
    messages: [
      { role: 'user', content: 'Tell me a story.' },
      { role: 'assistant', content: 'Once upon a time. '.repeat(Math.ceil(characters / 18)).slice(0, characters) },
    ],
  })
  const bytes = Buffer.from(`${line}\n`.repeat(conversations))
  const { url } = await client.trainingData.create({ ...where, bytes, content_type: 'application/jsonl' })
  const { id: job_id } = await client.trainingJobs.createSft({
    model_id: model.id,
    training_data_url: url,
    config: { batch_size: 4, epochs: 100 },
  })
  let steps = 0
  let after: string | undefined
  const countSteps = async () => {
    for (let hasMore = true; hasMore;) {
      const page = await client.trainingEvents.list({ job_id, limit: 100, ...(after === undefined ? {} : { after }) })
      const failed = page.data.find(({ type }) => type === 'training_failed')
      if (failed) throw new Error(`the job failed: ${JSON.stringify(failed.data)}`)
      steps += page.data.filter(({ type }) => type === 'gradient_step').length
      after = page.data.at(-1)?.id ?? after
      hasMore = page.has_more
    }
    return steps
  }
  while ((await countSteps()) === 0) await delay(500)
  const before = await countSteps()
  const result = await during()
  const made = (await countSteps()) - before
  await client.trainingJobs.cancel({ job_id })
  while (!isEnded((await client.trainingJobs.read({ job_id })).status)) await delay(500)
  return { result, steps: made }
}

const isEnded = (status: string) => !['queued', 'running'].includes(status)
