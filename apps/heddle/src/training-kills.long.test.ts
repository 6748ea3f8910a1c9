import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { training } from '@heddle/core-api'
import type { TrainingEvent } from '@heddle/core-api/types'
import { createClient } from '@heddle/core-api/client'
import { seededRandom } from '@heddle/testing'
import { unpackBytes } from '@heddle/training/testing'
import OpenAI from 'openai'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TrainingClient } from './connect.ts'
import { type RunningCommand, startCommand } from './testing/run-command.ts'

const apiKey = 'a-key-of-the-killed-trainings-with-fifty-characters'

/** Enough for more than 50 gradient steps, after which a recovery point comes. */
const groups = 200
const trajectory_groups = Array.from({ length: groups }, (_, group) => ({
  trajectories: [1, 0].map((reward) => ({
    reward,
    messages_and_choices: [
      { role: 'user', content: `say ${group}` },
      { role: 'assistant', content: `${reward}${'ab'.repeat(1 + (group % 4))}` },
    ],
  })),
}))
const experimental_config = {
  allow_training_without_logprobs: true,
  packed_sequence_length: 64,
  logprob_calculation_chunk_size: 64,
  // By this all jobs on the same trajectories end in the same weights.
  seed: 7,
}
/** A job fails at its third start that is cut. */
const killsOfJob = 2

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-killed-training-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

interface Server {
  command: RunningCommand
  url: string
  client: TrainingClient
}

async function launch(): Promise<Server> {
  const command = startCommand(['serve', '--port', '0', '--only', 'training'], { HEDDLE_DATA_DIR: folder, HEDDLE_API_KEY: apiKey })
  await command.said('is ready at')
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(command.out())?.[0] ?? ''
  return { command, url, client: createClient({ baseUrl: url, apiKey, contract: training, retries: 4 }) }
}

async function kill({ command }: Server): Promise<void> {
  command.child.kill('SIGKILL')
  await command.ended
}

interface Begun {
  model_id: string
  job_id: string
}

async function beginJob({ client }: Server, name: string): Promise<Begun> {
  const { id: model_id } = await client.models.create({ project: 'killed', name, base_model: 'heddle-nano' })
  const { id: job_id } = await client.trainingJobs.create({ model_id, trajectory_groups, experimental_config })
  return { model_id, job_id }
}

async function readEvents({ client }: Server, job_id: string): Promise<TrainingEvent[]> {
  const events: TrainingEvent[] = []
  for (let after: string | null = null, hasMore = true; hasMore;) {
    const page: Awaited<ReturnType<TrainingClient['trainingEvents']['list']>> = await client.trainingEvents.list({
      job_id,
      after,
      limit: 100,
    })
    events.push(...page.data)
    after = page.data.at(-1)?.id ?? after
    hasMore = page.has_more
  }
  return events
}

const lastTypes = new Set(['training_ended', 'training_failed'])

/** Waits until the job has the number of events, or has ended; the time limit of the test bounds the wait. */
async function untilEvents(server: Server, job_id: string, count: number): Promise<TrainingEvent[]> {
  for (;;) {
    const events = await readEvents(server, job_id)
    if (events.length >= count || lastTypes.has(events.at(-1)?.type ?? '')) return events
    await delay(20)
  }
}

async function hashOfWeights({ client }: Server, model_id: string): Promise<string> {
  const { bytes } = await client.checkpoints.archive({ model_id, step: 1 }, { timeoutMs: 60_000 })
  const weights = (await unpackBytes(bytes)).get('adapter_model.safetensors')
  if (!weights) throw new Error('the checkpoint has no weights')
  return createHash('sha256').update(weights).digest('hex')
}

/** A chat is answered by the base model for as long as the job has not ended. */
async function expectOldStep({ url, client }: Server, { model_id, job_id }: Begun): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: model_id, messages: [{ role: 'user', content: 'say 1' }], max_tokens: 1 }),
  })
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ object: 'chat.completion' })])
  const { status } = await client.trainingJobs.read({ job_id })
  if (status !== 'succeeded') expect(response.headers.get('x-model-step')).toBe('0')
}

interface Ended {
  /** Gradient steps of the job. */
  steps: number
  hash: string
}

/** Waits for the end of a job, which must have reported each step once. */
async function expectWhole(server: Server, { model_id, job_id }: Begun): Promise<Ended> {
  const events = await untilEvents(server, job_id, Infinity)
  const steps = Number(events[0]?.data['num_sequences'])
  expect(events.map(({ type }) => type)).toEqual([
    'training_started',
    ...Array.from({ length: steps }, () => 'gradient_step'),
    'training_ended',
  ])
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(await server.client.trainingJobs.read({ job_id })).toMatchObject({ status: 'succeeded', parent_step: 0, step: 1 })
  return { steps, hash: await hashOfWeights(server, model_id) }
}

test('a job whose server is killed at random points ends in the weights of one that nothing cut, with each event once', async () => {
  const random = seededRandom(11)
  let server = await launch()
  try {
    const whole = await expectWhole(server, await beginJob(server, 'whole'))
    expect(whole.steps).toBeGreaterThan(50)
    for (let left = 20; left > 0; left -= killsOfJob) {
      const begun = await beginJob(server, `killed-${left}`)
      const points = Array.from({ length: Math.min(left, killsOfJob) }, () => 1 + Math.floor(random() * whole.steps)).toSorted(
        (a, b) => a - b,
      )
      for (const point of points) {
        await untilEvents(server, begun.job_id, point)
        await kill(server)
        server = await launch()
        await expectOldStep(server, begun)
      }
      expect(await expectWhole(server, begun), `after kills at the events ${points.join(', ')}`).toEqual(whole)
    }
  } finally {
    await kill(server)
  }
}, 1_800_000)

/** An agent that continues with its conversation until its server is gone. Grows with each call whose end has arrived. */
interface Talk {
  trajectoryId: string
  /** Of calls that ended, alternately. */
  said: { role: string; content: string }[]
  /** Resolves once the server does not respond. */
  over: Promise<void>
}

/** Turns of a conversation, which must fit into the context of the model. */
const maxTurns = 12

/** Every second call is streamed. */
function talk(url: string, model: string, trajectoryId: string, onTurn: () => void): Talk {
  const defaultHeaders = { 'x-heddle-trajectory-id': trajectoryId, 'x-heddle-group-id': 'g' }
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, defaultHeaders })
  const said: Talk['said'] = []
  async function takeTurns() {
    for (let turn = 0; turn < maxTurns; turn++) {
      const question = { role: 'user' as const, content: `${turn}` }
      const request = { model, messages: [...said, question] as OpenAI.ChatCompletionMessageParam[], max_tokens: 2 }
      const { chat } = openai
      const answer = turn % 2 === 0 ? await chat.completions.create(request) : await chat.completions.stream(request).finalChatCompletion()
      // The client makes null of a stream without text.
      said.push(question, { role: 'assistant', content: answer.choices[0]?.message.content ?? '' })
      onTurn()
    }
  }
  const over = takeTurns().catch((error: unknown) => {
    if (error instanceof OpenAI.APIError && error.status !== undefined) throw error
  })
  return { trajectoryId, said, over }
}

test('of recorded calls, each whose end has arrived is in its trajectory after the server is killed', async () => {
  const random = seededRandom(12)
  let server = await launch()
  try {
    const { id: model_id } = await server.client.models.create({ project: 'killed', name: 'talker', base_model: 'heddle-nano' })
    for (let left = 20; left > 0; left--) {
      let until = 4 + Math.floor(random() * 20)
      let reach = () => {}
      const reached = new Promise<void>((resolve) => (reach = resolve))
      const onTurn = () => void (--until === 0 && reach())
      const talks = ['a', 'b', 'c'].map((name) => talk(server.url, model_id, `${name}-${left}`, onTurn))
      await Promise.race([reached, Promise.all(talks.map(({ over }) => over))])
      await kill(server)
      await Promise.all(talks.map(({ over }) => over))
      server = await launch()
      await expectRecorded(server, model_id, talks)
    }
  } finally {
    await kill(server)
  }
}, 600_000)

/** A call that was recorded may be one whose end did not arrive, at most one of each agent. */
async function expectRecorded({ client }: Server, model_id: string, talks: readonly Talk[]): Promise<void> {
  for (const { trajectoryId: trajectory_id, said } of talks) {
    if (said.length === 0) continue
    await client.recordedTrajectories.finish({ model_id, trajectory_id, reward: 1 })
  }
  const recorded = new Map<unknown, { messages_and_choices: object[]; additional_histories: object[] }>()
  for await (const { trajectories } of client.recordedTrajectories.groups({ model_id }))
    for (const one of trajectories) recorded.set(one.metadata['trajectory_id'], one)
  for (const { trajectoryId, said } of talks.filter((one) => one.said.length > 0)) {
    const { messages_and_choices: elements, additional_histories: others } = recorded.get(trajectoryId)!
    const messages = elements.map((element) => ('message' in element ? element.message : element))
    expect(messages.slice(0, said.length), trajectoryId).toMatchObject(said)
    expect([others, messages.length - said.length <= 2], trajectoryId).toEqual([[], true])
  }
}
