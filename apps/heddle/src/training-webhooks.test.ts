import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { tracing, training } from '@heddle/core-api'
import type { TrainingJob } from '@heddle/core-api/types'
import { createClient } from '@heddle/core-api/client'
import { type Receiver, respondWith, startReceiver } from '@heddle/tracing/testing'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { type RunningCommand, startCommand } from './testing/run-command.ts'

const apiKey = 'a-key-of-the-told-trainings-with-fifty-characters-or'
const project_id = 'local/told'

interface Server {
  command: RunningCommand
  tracing: ReturnType<typeof createClient<typeof tracing>>
  training: ReturnType<typeof createClient<typeof training>>
}

let folder: string
let server: Server
let receiver: Receiver
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-told-training-'))
  receiver = await startReceiver()
  server = await launch()
})
afterEach(async () => {
  await kill()
  receiver.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

async function launch(): Promise<Server> {
  const settings = { HEDDLE_DATA_DIR: folder, HEDDLE_API_KEY: apiKey, HEDDLE_ALLOWED_HOSTS: '127.0.0.1' }
  const command = startCommand(['serve', '--port', '0'], settings)
  await command.said('is ready at')
  const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(command.out())?.[0] ?? ''
  const options = { baseUrl, apiKey, retries: 4 }
  return { command, tracing: createClient({ ...options, contract: tracing }), training: createClient({ ...options, contract: training }) }
}

async function kill(): Promise<void> {
  server.command.child.kill('SIGKILL')
  await server.command.ended
}

/** A model in a project with a webhook for `training.finished`. */
async function toldModel(): Promise<string> {
  const { id } = await server.training.models.create({ entity: 'local', project: 'told', name: 'agent', base_model: 'heddle-nano' })
  await server.tracing.webhooks.create({ project_id, name: 'hook', url: receiver.url, events: ['training.finished'] })
  return id
}

async function fineTune(model_id: string, text: string): Promise<string> {
  const bytes = Buffer.from(text)
  const { url } = await server.training.trainingData.create({ entity: 'local', project: 'told', bytes, content_type: 'application/jsonl' })
  return (await server.training.trainingJobs.createSft({ model_id, training_data_url: url })).id
}

const line = (content: string) => `{"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": "${content}"}]}\n`

async function untilEnded(job_id: string): Promise<TrainingJob> {
  for (;;) {
    const job = await server.training.trainingJobs.read({ job_id })
    if (job.training_end !== null) return job
    await delay(10)
  }
}

const received = () =>
  receiver.received.map(({ headers, body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
    return { id: headers['webhook-id'], type, data }
  })
const receives = (count: number) => vi.waitFor(() => expect(received().length).toBeGreaterThanOrEqual(count), 60_000)

test('a webhook receives one event for each job that succeeded, failed or was cancelled', async () => {
  const model_id = await toldModel()
  const succeeded = await untilEnded(await fineTune(model_id, line('aaa') + line('aba')))
  const failed = await untilEnded(await fineTune(model_id, line('a') + line('b').replace('"go"', '7')))
  const trajectories = [1, 0].map((reward) => ({
    reward,
    messages_and_choices: [
      { role: 'user', content: 'say it' },
      { role: 'assistant', content: `${reward}`.repeat(100) },
    ],
  }))
  const trajectory_groups = Array.from({ length: 200 }, () => ({ trajectories }))
  const experimental_config = { allow_training_without_logprobs: true }
  const { id } = await server.training.trainingJobs.create({ model_id, trajectory_groups, experimental_config })
  await server.training.trainingJobs.cancel({ job_id: id })
  const cancelled = await untilEnded(id)
  await receives(3)

  const told = (job: TrainingJob) => ({
    type: 'training.finished',
    data: {
      project_id,
      training_job_id: job.id,
      kind: job.kind,
      model_id,
      model: 'agent',
      status: job.status,
      error_message: job.error_message,
      gradient_steps: expect.any(Number),
      checkpoint_step: 1,
      started_at: job.training_start,
      finished_at: job.training_end,
    },
  })
  expect([succeeded, failed, cancelled].map(({ status }) => status)).toEqual(['succeeded', 'failed', 'cancelled'])
  expect(new Set(received())).toEqual(new Set([succeeded, failed, cancelled].map((job) => expect.objectContaining(told(job)))))
  expect(received().find(({ data }) => data['status'] === 'succeeded')?.data['gradient_steps']).toBeGreaterThan(0)
  expect(received().find(({ data }) => data['status'] === 'failed')?.data['error_message']).toMatch(/line 2/)
}, 120_000)

test.each(inject('long') ? ['a job that ended before its server was killed'] : [])(
  'a webhook receives the event of %s, with the same message id',
  async () => {
    const model_id = await toldModel()
    // The receiver is down for the server that trains.
    receiver.respond = (response) => void response.destroy()
    const job = await untilEnded(await fineTune(model_id, line('aaa')))
    await kill()
    const before = received().map(({ id }) => id)
    receiver.respond = respondWith(204)
    server = await launch()
    await vi.waitFor(async () => {
      const { webhooks } = await server.tracing.webhooks.list({ project_id })
      expect(webhooks).toMatchObject([{ waiting: 0, last_attempt: { status: 204 } }])
    }, 60_000)
    const after = received()
    expect(new Set([...before, ...after.map(({ id }) => id)]).size).toBe(1)
    expect(after.at(-1)).toMatchObject({ data: { training_job_id: job.id, status: 'succeeded', gradient_steps: 1, checkpoint_step: 1 } })
  },
  120_000,
)
