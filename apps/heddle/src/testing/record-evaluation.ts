import { randomUUID } from 'node:crypto'
import type { TracingClient } from '../connect.ts'

/** One predict-and-score of a row. */
export interface RecordedTrial {
  example: unknown
  output?: unknown
  scores: Record<string, unknown>
  latencyMs?: number
  tokens?: number
}

export interface RecordedEvaluation {
  project: string
  name: string
  model: string
  /** Version of the model. Default: one that is not stored. */
  modelDigest?: string
  trials: readonly RecordedTrial[]
  /** Milliseconds since 1970. */
  startedAtMs?: number
  isRunning?: boolean
  exception?: string
}

const begin = Date.UTC(2026, 0, 2, 3, 4, 5)

/** Records a run as client libraries do, as calls: the evaluation, a predict-and-score call a trial, and the call of the model below it. Returns its id. */
export async function recordEvaluation(client: TracingClient, evaluation: RecordedEvaluation): Promise<string> {
  const { project, name, model, modelDigest, trials, startedAtMs = begin, isRunning = false, exception = null } = evaluation
  const [entity = '', projectName = ''] = project.split('/')
  const ref = (kind: string, subject: string, digest = 'd'.repeat(43)) => `weave:///${project}/${kind}/${subject}:${digest}`
  const [root, trace_id] = [randomUUID(), randomUUID()]
  const call = <Fields extends object>(fields: Fields, startMs: number, lastsMs: number) => ({
    project_id: project,
    trace_id,
    attributes: {},
    summary: {},
    started_at: new Date(startedAtMs + startMs).toISOString(),
    ended_at: new Date(startedAtMs + startMs + lastsMs).toISOString(),
    ...fields,
  })
  const inputs = { self: ref('object', name), model: ref('object', model, modelDigest) }
  const rootCall = { id: root, op_name: ref('op', 'Evaluation.evaluate'), display_name: name, inputs }
  const { ended_at, summary, ...start } = call(rootCall, 0, 60_000)
  if (isRunning) await client.calls.start({ start })
  else await client.calls.complete({ entity, project: projectName, batch: [{ ...start, ended_at, summary, exception, output: {} }] })
  const batch = trials.flatMap(({ example, output = null, scores, latencyMs = 10, tokens = 5 }, index) => {
    const id = randomUUID()
    const trial = { id, parent_id: root, op_name: ref('op', 'Evaluation.predict_and_score'), inputs: { ...inputs, example } }
    const predict = { id: randomUUID(), parent_id: id, op_name: ref('op', `${model}.predict`), inputs: { self: inputs.model } }
    return [
      { ...call(trial, index + 1, latencyMs), output: { output, scores, model_latency: latencyMs / 1_000 } },
      { ...call(predict, index + 1, latencyMs), output, summary: { usage: { [model]: { total_tokens: tokens } } } },
    ]
  })
  if (batch.length > 0) await client.calls.complete({ entity, project: projectName, batch })
  return root
}
