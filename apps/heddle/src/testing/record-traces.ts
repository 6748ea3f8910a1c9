import { randomUUID } from 'node:crypto'
import type { TracingClient } from '../connect.ts'

/** One recorded trace: an agent, a tool and a call of a model. */
export interface RecordedTrace {
  question: string
  answer: string
  model: string
  startedAtMs: number
  latencyMs: number
  tokens: number
  exception?: string
  attributes?: Record<string, unknown>
  threadId?: string
}

/** Records traces as client libraries do, with the usage of the model summed up in the root. Returns the ids of the traces. */
export async function recordTraces(client: TracingClient, projectId: string, traces: readonly RecordedTrace[]): Promise<string[]> {
  const [entity = '', project = ''] = projectId.split('/')
  const ids: string[] = []
  const batch = traces.flatMap(
    ({ question, answer, model, startedAtMs, latencyMs, tokens, exception = null, attributes = {}, threadId = null }) => {
      const [root, trace_id] = [randomUUID(), randomUUID()]
      ids.push(trace_id)
      const usage = { [model]: { requests: 1, prompt_tokens: tokens - 10, completion_tokens: 10, total_tokens: tokens } }
      const call = (op: string, fields: object, atMs: number, lastsMs: number) => ({
        project_id: projectId,
        id: randomUUID(),
        trace_id,
        thread_id: threadId,
        op_name: `weave:///${projectId}/op/${op}:${'e'.repeat(43)}`,
        attributes,
        inputs: {},
        summary: {},
        started_at: new Date(startedAtMs + atMs).toISOString(),
        ended_at: new Date(startedAtMs + atMs + lastsMs).toISOString(),
        ...fields,
      })
      const messages = [{ role: 'user', content: question }]
      const choice = {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: answer },
        logprobs: { content: [{ token: 'token_id:1', logprob: -0.1, bytes: null, top_logprobs: [] }] },
      }
      return [
        call(
          'answer_question',
          { id: root, inputs: { question }, output: exception === null ? answer : null, exception, summary: { usage } },
          0,
          latencyMs,
        ),
        call('look_up', { parent_id: root, inputs: { query: question }, output: ['page'] }, 1, 5),
        call(
          'chat',
          {
            parent_id: root,
            inputs: { model, messages },
            output: exception === null ? { choices: [choice] } : null,
            exception,
            summary: { usage },
          },
          10,
          latencyMs - 20,
        ),
      ]
    },
  )
  await client.calls.complete({ entity, project, batch })
  return ids
}
