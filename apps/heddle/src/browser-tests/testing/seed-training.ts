import { setTimeout as delay } from 'node:timers/promises'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { TrainingClient } from '../../connect.ts'
import type { TestServer } from '../../test-server/create-test-server.ts'

/** A model that learned from attempts of its own, in a real job. */
export interface SeededTraining {
  trainedModelId: string
  jobId: string
}

const baseModel = 'heddle-nano'
const weatherTool = { type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }

/** Samples attempts at two tasks, logs them and trains a model on them. Takes some seconds. */
export async function seedTraining(
  { url: baseUrl, apiKey }: TestServer,
  project: string,
  rollout: { trace_id: string; root_span_id: string },
): Promise<SeededTraining> {
  const client = createClient({ baseUrl, apiKey, contract: training, timeoutMs: 120_000 })
  const [entity = '', name = ''] = project.split('/')
  const { id: model_id } = await client.models.create({ entity, project: name, name: 'practised', base_model: baseModel })
  const [first, second] = [await sample(client, 'Weather in Oslo?', 1), await sample(client, 'Weather in Oslo?', 2)]
  const calls = [
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1', ...weatherTool }] },
    { role: 'tool', tool_call_id: 'c1', content: 'snow' },
  ]
  const attempt = (choice: unknown, reward: number, more: object = {}) => ({
    messages_and_choices: [{ role: 'user', content: 'Weather in Oslo?' }, ...calls, choice],
    reward,
    initial_policy_version: 0,
    final_policy_version: 0,
    metrics: { turns: 2 },
    logs: ['asked the tool', 'answered'],
    ...more,
  })
  const history = [{ messages_and_choices: [{ role: 'user', content: 'And now briefly?' }, second] }]
  const trajectory_groups = [
    {
      trajectories: [attempt(first, 1, { metadata: rollout }), attempt(second, 0, { additional_histories: history })],
      metadata: { scenario_id: 'Weather in Oslo' },
      exceptions: [{ type: 'TimeoutError', message: 'no answer after 30 s' }],
    },
    { trajectories: [attempt(first, 0.5), attempt(second, 0.5)] },
  ]
  await client.trajectories.log({ model_id, split: 'train', trajectory_groups } as Parameters<typeof client.trajectories.log>[0])
  const body = { model_id, trajectory_groups } as Parameters<typeof client.trainingJobs.create>[0]
  const { id: jobId } = await client.trainingJobs.create(body)
  await untilEnded(client, jobId)
  return { trainedModelId: model_id, jobId }
}

/** A choice with its log-probabilities. */
async function sample(client: TrainingClient, content: string, seed: number): Promise<unknown> {
  const request = { model: baseModel, messages: [{ role: 'user', content }], max_tokens: 12, seed, logprobs: true }
  const { choices } = await client.chatCompletions.create(request as Parameters<typeof client.chatCompletions.create>[0])
  return choices[0]
}

async function untilEnded(client: TrainingClient, job_id: string): Promise<void> {
  for (;;) {
    const { status, error_message } = await client.trainingJobs.read({ job_id })
    if (status === 'succeeded') return
    if (status !== 'queued' && status !== 'running') throw new Error(`the seeded training job ended as ${status}: ${error_message}`)
    await delay(100)
  }
}
