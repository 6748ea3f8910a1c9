import { randomUUID } from 'node:crypto'
import type { TracingClient } from '../connect.ts'
import type { SampledAnswer } from './record-attempts.ts'

/** An attempt at a row of a dataset, and whether it has the score `exact.match`. */
export interface RowAttempt {
  row: string
  matches: boolean
}

/** Records an evaluation run as client libraries do, whose model requested a chat completion in each attempt. Returns the id of the run. */
export async function recordRowAttempts(
  client: TracingClient,
  projectId: string,
  { messages, completion }: SampledAnswer,
  attempts: readonly RowAttempt[],
): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/')
  const [trace_id, root] = [randomUUID(), randomUUID()]
  const call = (op: string, fields: object) => ({
    project_id: projectId,
    id: randomUUID(),
    trace_id,
    op_name: `weave:///${projectId}/op/${op}:${'d'.repeat(43)}`,
    started_at: '2026-11-16T10:00:00Z',
    ended_at: '2026-11-16T10:00:01Z',
    attributes: {},
    inputs: {},
    summary: {},
    ...fields,
  })
  const rows = attempts.flatMap(({ row, matches }) => {
    const id = randomUUID()
    const example = `weave:///${projectId}/object/tasks:${'c'.repeat(43)}/attr/rows/id/${row}`
    return [
      call('Evaluation.predict_and_score', {
        id,
        parent_id: root,
        inputs: { example },
        output: { output: 'an answer', scores: { exact: { match: matches } } },
      }),
      call('chat', { parent_id: id, inputs: { messages }, output: completion }),
    ]
  })
  await client.calls.complete({ entity, project, batch: [call('Evaluation.evaluate', { id: root, output: {} }), ...rows] })
  return root
}
