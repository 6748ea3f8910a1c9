import { randomUUID } from 'node:crypto'
import type { TracingClient } from '../connect.ts'
import type { TestServer } from '../test-server/create-test-server.ts'

export interface SampledAnswer {
  messages: { role: string; content: string }[]
  /** As the chat endpoint returned it, with log-probabilities and token ids. */
  completion: { choices: object[] }
}

/** An attempt: one chat completion inside of an agent. */
export interface RecordedAttempt extends SampledAnswer {
  group?: string
  reward?: number
  /** Default true. */
  logprobs?: boolean
  /** Attributes of the agent's call. */
  attributes?: object
}

/** Asks the newly registered model `adder` of the project for a completion. */
export async function sampleAnswer({ url, apiKey }: Pick<TestServer, 'url' | 'apiKey'>, project: string): Promise<SampledAnswer> {
  const messages = [{ role: 'user', content: '3 + 4 =' }]
  const body = { model: `heddle-artifact:///${project}/adder`, messages, max_tokens: 6, logprobs: true, return_token_ids: true, seed: 1 }
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`)
  return { messages, completion: (await response.json()) as SampledAnswer['completion'] }
}

/** Records a trace for each attempt, as client libraries do. Returns the ids of the root calls. */
export async function recordAttempts(client: TracingClient, projectId: string, attempts: readonly RecordedAttempt[]): Promise<string[]> {
  const [entity = '', project = ''] = projectId.split('/')
  const roots: string[] = []
  const batch = attempts.flatMap(({ group, reward, logprobs = true, attributes = {}, messages, completion }, at) => {
    const [id, trace_id] = [randomUUID(), randomUUID()]
    roots.push(id)
    const recorded = group !== undefined && {
      heddle: { group_id: group, trajectory_id: `${trace_id}-attempt`, ...(reward !== undefined && { reward: { value: reward } }) },
    }
    const shared = {
      project_id: projectId,
      trace_id,
      started_at: new Date(Date.UTC(2026, 10, 16, 10, 0, at)).toISOString(),
      ended_at: new Date(Date.UTC(2026, 10, 16, 10, 0, at + 1)).toISOString(),
      attributes: { ...attributes, ...recorded },
      summary: {},
    }
    const choices = logprobs ? completion.choices : completion.choices.map((choice) => ({ ...choice, logprobs: null }))
    return [
      { ...shared, id, op_name: 'agent', inputs: {}, output: null },
      { ...shared, id: randomUUID(), parent_id: id, op_name: 'chat', inputs: { messages }, output: { ...completion, choices } },
    ]
  })
  await client.calls.complete({ entity, project, batch })
  return roots
}
