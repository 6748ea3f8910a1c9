import type { Agent } from 'node:http'
import type { Target } from '../load/load-plan.ts'
import { post } from '../load/post.ts'

export interface EvaluationsPlan {
  evaluations: number
  rows: number
  scorers: number
  /** Also record a predict call and a call of each scorer below every predict-and-score call. */
  children: boolean
}

const callsOfRequest = 4_000
const connections = 2
const attempts = 30
const startMs = Date.parse('2026-03-01T00:00:00Z')

/** Id of the root call of an evaluation. */
export const rootId = (evaluation: number) => `0195aaaa-0000-7000-8000-0000000000${String(evaluation).padStart(2, '0')}`

/** How many calls the evaluations have. */
export const callsOf = ({ evaluations, rows, scorers, children }: EvaluationsPlan) =>
  evaluations * (1 + rows * (children ? 2 + scorers : 1))

/** Records the evaluations. Scores are drawn without chance, and differ between evaluations. */
export async function fillEvaluations(agent: Agent, target: Target, plan: EvaluationsPlan): Promise<number> {
  const work = batches(plan)
  let calls = 0
  async function send(): Promise<void> {
    for (let next = work.next(); !next.done; next = work.next()) {
      const body = Buffer.from(JSON.stringify({ batch: next.value }))
      await sendPatiently(agent, target, body)
      calls += next.value.length
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  return calls
}

function* batches(plan: EvaluationsPlan): Generator<object[]> {
  let batch: object[] = []
  for (let evaluation = 0; evaluation < plan.evaluations; evaluation++) {
    batch.push(rootCall(evaluation))
    for (let row = 0; row < plan.rows; row++) {
      batch.push(...trialCalls(plan, evaluation, row))
      if (batch.length < callsOfRequest) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

const project_id = 'bench/evals'
const ref = (kind: string, name: string) => `weave:///${project_id}/${kind}/${name}:${'x'.repeat(43)}`
const at = (ms: number) => new Date(startMs + ms).toISOString()
const idOf = (kind: number, evaluation: number, row: number) =>
  `0195aaaa-${String(kind).padStart(4, '0')}-7000-8${String(evaluation).padStart(3, '0')}-${String(row).padStart(12, '0')}`

function rootCall(evaluation: number): object {
  const id = rootId(evaluation)
  const inputs = { self: ref('object', 'evaluation'), model: ref('object', `model-${evaluation}`) }
  const times = { started_at: at(evaluation * 3_600_000), ended_at: at((evaluation + 1) * 3_600_000) }
  return {
    project_id,
    id,
    trace_id: id,
    op_name: ref('op', 'Evaluation.evaluate'),
    ...times,
    inputs,
    attributes: {},
    output: {},
    summary: {},
  }
}

function trialCalls({ scorers, children }: EvaluationsPlan, evaluation: number, row: number): object[] {
  const trace_id = rootId(evaluation)
  const model = ref('object', `model-${evaluation}`)
  const startedMs = evaluation * 3_600_000 + row * 50
  const usage = { model: { requests: 1, prompt_tokens: 200, completion_tokens: 40 + (row % 7), total_tokens: 240 + (row % 7) } }
  const scores = Object.fromEntries(Array.from({ length: scorers }, (_, scorer) => [`scorer-${scorer}`, scoreOf(evaluation, row, scorer)]))
  const own = { project_id, trace_id, attributes: {}, summary: { usage } }
  const question = `Which of the answers to question ${row} of the data set is right, and what would a careful reader say about the others?`
  const trial = {
    ...own,
    id: idOf(1, evaluation, row),
    parent_id: trace_id,
    op_name: ref('op', 'Evaluation.predict_and_score'),
    started_at: at(startedMs),
    ended_at: at(startedMs + 40),
    inputs: { self: ref('object', 'evaluation'), model, example: { question, expected: `answer ${row}`, difficulty: row % 10 } },
    output: { output: `The answer of model ${evaluation} to question ${row}`, scores, model_latency: 0.02 },
  }
  if (!children) return [trial]
  const child = { ...own, parent_id: trial.id }
  const predict = {
    ...child,
    id: idOf(2, evaluation, row),
    op_name: ref('op', 'Model.predict'),
    started_at: at(startedMs),
    ended_at: at(startedMs + 20),
    inputs: { self: model, question },
    output: trial.output.output,
  }
  const scoring = Object.entries(scores).map(([name, output], scorer) => ({
    ...child,
    id: idOf(3 + scorer, evaluation, row),
    op_name: ref('op', `${name}.score`),
    started_at: at(startedMs + 20 + scorer),
    ended_at: at(startedMs + 21 + scorer),
    inputs: { self: ref('object', name), output: trial.output.output },
    attributes: { weave: { score: 'true' } },
    output,
    summary: {},
  }))
  return [trial, predict, ...scoring]
}

function scoreOf(evaluation: number, row: number, scorer: number): unknown {
  const value = ((row * 7_919 + evaluation * 104_729 + scorer * 1_299_709) % 1_000) / 1_000
  if (scorer % 3 === 0) return { match: value > 0.4, quality: { value } }
  return scorer % 3 === 1 ? value > 0.5 : value
}

async function sendPatiently(agent: Agent, target: Target, body: Buffer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { status, text } = await post({ agent, target, path: `/v2/${project_id}/calls/complete`, contentType: 'application/json', body })
    if (status === 200) return
    if (attempt === attempts || (status !== 429 && status !== 503))
      throw new Error(`calls were answered with ${status}: ${text.slice(0, 500)}`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
