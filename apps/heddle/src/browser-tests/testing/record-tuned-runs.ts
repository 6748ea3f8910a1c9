import { randomUUID } from 'node:crypto'
import type { TracingClient } from '../../connect.ts'

/** An evaluation run whose model has parameters of its own. */
export interface TunedRun {
  name: string
  /** Fields of the model. */
  parameters: Record<string, unknown>
  /** Whether each of its trials was right. */
  correct: readonly boolean[]
}

const startMs = Date.UTC(2026, 0, 2)

/** Records runs of models that are published with their parameters, a minute after each other. Returns their ids. */
export async function recordTunedRuns(client: TracingClient, project_id: string, runs: readonly TunedRun[]): Promise<string[]> {
  const [entity = '', project = ''] = project_id.split('/')
  const ids: string[] = []
  for (const [place, { name, parameters, correct }] of runs.entries()) {
    const body = { name: `agent-${place}`, source_code: 'answer()', attributes: parameters }
    const { model_ref: model } = await client.models.create({ entity, project, ...body })
    const id = randomUUID()
    const started_at = new Date(startMs + place * 60_000).toISOString()
    const ended_at = new Date(startMs + place * 60_000 + 30_000).toISOString()
    const call = { project_id, trace_id: id, attributes: {}, summary: {}, started_at, ended_at }
    const root = {
      ...call,
      id,
      op_name: 'Evaluation.evaluate',
      display_name: name,
      inputs: { model },
      output: { model_latency: { mean: 1 + place } },
    }
    const trials = correct.map((isRight, row) => ({
      ...call,
      id: randomUUID(),
      parent_id: id,
      op_name: 'Evaluation.predict_and_score',
      inputs: { model, example: { row } },
      output: { output: 'an answer', scores: { right: isRight } },
    }))
    await client.calls.complete({ entity, project, batch: [root, ...trials] })
    ids.push(id)
  }
  return ids
}
