import { newId } from '../../../contract-tests/testing/call-builders.ts'
import { type PlannedEvaluations, type PlannedTrial } from './random-evaluations.ts'

type Json = Record<string, unknown>

/** Where a planned trial was recorded. */
export interface RecordedTrial extends PlannedTrial {
  id: string
  predictId: string
  /** Id of the score call of each key that has one; that of the late score too. */
  scoreIds: Record<string, string>
  example: unknown
}

export interface RecordedEvaluation {
  id: string
  trials: RecordedTrial[]
}

interface Place {
  project_id: string
  /** The example at each place, as it is sent. */
  examples: readonly unknown[]
}

const start = Date.parse('2026-03-01T00:00:00Z')
/** Milliseconds between trials; their calls lie within. */
const pace = 10_000
export const predictMs = 2_000
export const trialMs = 5_000

/** The writes that record planned evaluations, in the shapes of their clients, and where everything is then. */
export function recordEvaluations(
  plan: PlannedEvaluations,
  { project_id, examples }: Place,
): { writes: object[]; evaluations: RecordedEvaluation[] } {
  const writes: object[] = []
  const ref = (kind: string, name: string) => `weave:///${project_id}/${kind}/${name}:${'x'.repeat(43)}`

  function write(call: Json, ended: { ended_at: number; output: unknown; summary: Json; exception?: string } | undefined): string {
    const id = newId()
    const times = { started_at: new Date(start + Number(call.started_at)).toISOString() }
    writes.push({ mode: 'start', req: { start: { project_id, id, attributes: {}, ...call, ...times } } })
    if (ended !== undefined) {
      const end = { project_id, id, ...ended, ended_at: new Date(start + ended.ended_at).toISOString() }
      writes.push({ mode: 'end', req: { end } })
    }
    return id
  }

  const evaluations = plan.evaluations.map((trials, index) => {
    const trace_id = newId()
    const root = write(
      {
        trace_id,
        op_name: ref('op', 'Evaluation.evaluate'),
        started_at: index,
        inputs: { self: ref('object', 'ev') },
        display_name: `run ${index}`,
      },
      undefined,
    )
    return { id: root, trials: trials.map((trial, at) => recordTrial(trial, { trace_id, parent_id: root, at: at * pace })) }
  })

  function recordTrial(trial: PlannedTrial, { at, ...place }: { trace_id: string; parent_id: string; at: number }): RecordedTrial {
    const isFunction = trial.client === 'function'
    const model = isFunction ? ref('op', 'ask') : ref('object', 'm1')
    const example = examples[trial.row]
    const output = { [isFunction ? 'model_output' : 'output']: trial.output, scores: trial.scores, model_latency: trial.latency }
    const op = ref('op', isFunction ? 'Evaluation.predictAndScore' : 'Evaluation.predict_and_score')
    const id = write(
      { ...place, op_name: op, started_at: at, inputs: { self: ref('object', 'ev'), model, example } },
      trial.ended ? { ended_at: at + trialMs, output, summary: usage(trial.tokens) } : undefined,
    )
    const child = { trace_id: place.trace_id, parent_id: id }
    const { predict, client } = trial
    let predictId = ''
    if (predict !== undefined && client !== 'alone') {
      const inputs = client === 'class' ? { self: model } : {}
      const ended = { ended_at: at + predictMs, output: trial.output, summary: usage(predict.tokens) }
      predictId = write({ ...child, op_name: predictOps[client](ref), started_at: at, inputs }, predict.ended ? ended : undefined)
    }
    const scoreIds: Record<string, string> = {}
    const score = (key: string, value: unknown, more: { exception?: string }, place: number) => {
      const ended = { ended_at: at + 3_000 + place, output: value, summary: {}, ...more }
      scoreIds[key] = write({ ...child, ...scoreCall(client, key, ref), started_at: at + 2_500 + place }, ended)
    }
    if (client !== 'alone') {
      trial.scoreCalls.filter((key) => key in recordedScores(trial)).forEach((key, index) => score(key, trial.scores[key], {}, index))
      if (trial.late !== undefined && client !== 'function')
        score('after', trial.late.value, trial.late.failed ? { exception: 'no' } : {}, 50)
    }
    return { ...trial, id, predictId, scoreIds, example }
  }
  return { writes, evaluations }
}

/** The scores that a call has returned. */
export function recordedScores({ ended, scores }: Pick<PlannedTrial, 'ended' | 'scores'>): Json {
  return ended ? scores : {}
}

type Ref = (kind: string, name: string) => string

const predictOps: Record<Exclude<PlannedTrial['client'], 'alone'>, (ref: Ref) => string> = {
  class: (ref) => ref('op', 'Chain.run'),
  function: (ref) => ref('op', 'ask'),
  logger: (ref) => ref('op', 'Model.predict'),
  service: (ref) => ref('op', 'm1.predict'),
}

function scoreCall(client: PlannedTrial['client'], key: string, ref: Ref): Json {
  if (client === 'class') return { op_name: ref('op', 'Judge.score'), inputs: { self: ref('object', key) } }
  if (client === 'function') return { op_name: ref('op', key), inputs: { arg0: {} } }
  if (client === 'logger') return { op_name: ref('op', key), inputs: {}, attributes: { _weave_eval_meta: { score: true } } }
  return { op_name: ref('op', `${key}.score`), inputs: {}, attributes: { weave: { score: 'true', scorer: ref('object', key) } } }
}

/** Usage of the model that has a price, alternating between calls: plainly, of a service tier, in one long request, and in several requests with reasoning. */
const uses: readonly { entry: Json; tokens: number; cost: number }[] = [
  { entry: { requests: 1, prompt_tokens: 1, completion_tokens: 2 }, tokens: 3, cost: 1 + 4 },
  { entry: { requests: 1, prompt_tokens: 1, completion_tokens: 2, service_tier: 'flex' }, tokens: 3, cost: 1 + 2 },
  { entry: { requests: 1, prompt_tokens: 30, completion_tokens: 2 }, tokens: 32, cost: 90 + 4 },
  { entry: { requests: 3, prompt_tokens: 30, completion_tokens: 2, reasoning_tokens: 1 }, tokens: 32, cost: 30 + 2 + 5 },
]
const useOf = (tokens: number) => uses[Math.abs(Math.trunc(tokens)) % uses.length]!

function usage(tokens: number | null): Json {
  if (tokens === null) return {}
  return { usage: { one: { total_tokens: tokens }, other: useOf(tokens).entry } }
}

/** What `usage` adds up to. */
export const tokensOf = (tokens: number | null) => (tokens === null ? null : tokens + useOf(tokens).tokens)
/** The price of one of the models that `usage` names; the other has none. */
export const prices = {
  other: {
    prompt_token_cost: 1,
    completion_token_cost: 2,
    reasoning_token_cost: 5,
    tiers: [
      { above_input_tokens: 20, prompt_token_cost: 3 },
      { service_tier: 'flex', completion_token_cost: 1 },
    ],
  },
}
/** What `usage` costs. */
export const costOf = (tokens: number | null) => (tokens === null ? null : useOf(tokens).cost)
