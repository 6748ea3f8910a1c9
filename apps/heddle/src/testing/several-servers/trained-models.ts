import { randomUUID } from 'node:crypto'
import type { TrainingJob } from '@heddle/core-api/types'
import { type Receiver } from '@heddle/tracing/testing'
import type { TracingClient, TrainingClient } from '../../connect.ts'
import { untilAnswered, type Work } from './work.ts'

const [entity, project] = ['killed', 'trained']
const project_id = `${entity}/${project}`
const bytes = Buffer.from('{"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": "aaa"}]}\n')
/** Another server continues a job whose server was killed once its lease has expired. */
const maxWaitMs = 180_000
/** The same while servers are killed: each may be gone before it has seen for 40 seconds that a lease has no heartbeat. */
const maxWaitMsUnderKills = 1_800_000

interface Clients {
  tracing: TracingClient
  training: TrainingClient
}

/** Training jobs on whichever server takes them, with a webhook for the end of each. */
export async function trainedModels({ tracing, training }: Clients, receiver: Receiver): Promise<Work> {
  const newModel = () => training.models.create({ entity, project, name: `model-${randomUUID()}`, base_model: 'heddle-nano' })
  // A project is there from its first record on.
  await newModel()
  await tracing.webhooks.create({ project_id, name: 'hook', url: receiver.url, events: ['training.finished'] })
  const { url } = await training.trainingData.create({ entity, project, bytes, content_type: 'application/jsonl' })
  const begun: string[] = []

  async function ended(job_id: string, limitMs: number): Promise<TrainingJob> {
    for (const startedAt = Date.now(); ;) {
      const job = await untilAnswered(() => training.trainingJobs.read({ job_id }))
      if (job.training_end !== null) return job
      if (Date.now() - startedAt > limitMs) throw new Error(`job ${job_id} has not ended: ${job.status}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const eventsOf = async (job_id: string) =>
    (await training.trainingEvents.list({ job_id, limit: 100 })).data.map(({ type }) => type).join(' ')
  /** Ids of the messages about a job. */
  const messagesOf = (job_id: string) =>
    new Set(receiver.received.filter(({ body }) => body.includes(job_id)).map(({ headers }) => String(headers['webhook-id'])))

  return {
    name: 'training jobs',
    async step() {
      const { id: model_id } = await newModel()
      const { id } = await training.trainingJobs.createSft({ model_id, training_data_url: url })
      begun.push(id)
      await ended(id, maxWaitMsUnderKills)
    },
    async faults() {
      const found: string[] = []
      for (const id of begun) {
        const { status } = await ended(id, maxWaitMs)
        if (status !== 'succeeded') found.push(`job ${id} ${status}`)
        const events = await eventsOf(id)
        if (events !== 'training_started gradient_step training_ended') found.push(`job ${id} has the events ${events}`)
        for (const startedAt = Date.now(); messagesOf(id).size === 0 && Date.now() - startedAt < maxWaitMs;)
          await new Promise((resolve) => setTimeout(resolve, 50))
        if (messagesOf(id).size !== 1) found.push(`the end of job ${id} is in ${messagesOf(id).size} messages`)
      }
      return found
    },
  }
}
