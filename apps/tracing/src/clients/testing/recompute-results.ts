import type { Call, EvalResults } from '@heddle/core-api/types'

type Json = Record<string, unknown>
type Trial = EvalResults['rows'][number]['evaluations'][number]['trials'][number]
type Stats = NonNullable<EvalResults['summary']>['evaluations'][number]['scorer_stats'][number]

const shortName = ({ op_name }: Call) => /\/op\/([^:]+):/.exec(op_name)?.[1] ?? op_name
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Trials of an evaluation of the JavaScript client with the digests of their rows, from its calls alone, in the order of their start. */
export function recomputeTrials(calls: readonly Call[], rootId: string, digestOf: (row: unknown) => string) {
  return childrenOf(calls, rootId)
    .filter((call) => /^Evaluation\.predict_?and_?score$/i.test(shortName(call)))
    .map((call) => ({ digest: digestIn(call.inputs['example'], digestOf), trial: recomputeTrial(call, childrenOf(calls, call.id)) }))
}

function childrenOf(calls: readonly Call[], id: string): Call[] {
  return calls.filter(({ parent_id }) => parent_id === id)
}

function digestIn(example: unknown, digestOf: (row: unknown) => string): string {
  return typeof example === 'string' ? (example.split('/').at(-1) ?? '') : digestOf(example)
}

function recomputeTrial(call: Call, children: readonly Call[]): Trial {
  const output = call.output as Json
  const predict = children.find((child) => child.op_name === call.inputs['model'] || shortName(child) === 'Model.predict')
  const scores = output['scores'] as Json
  const scorers = Object.keys(scores).flatMap((name) => {
    const found = children.find((child) => shortName(child) === name || shortName(child) === `${name}.score`)
    return found === undefined ? [] : [[name, found.id]]
  })
  return {
    predict_and_score_call_id: call.id,
    predict_call_id: predict?.id ?? null,
    model_output: output['model_output'] ?? output['output'] ?? null,
    scores,
    model_latency_seconds: predict === undefined ? null : secondsOf(predict),
    total_tokens: tokensOf(predict),
    total_cost: null,
    scorer_call_ids: Object.fromEntries(scorers) as Record<string, string>,
    genai_span_ref: null,
  }
}

/** The client gives times in whole milliseconds. */
function secondsOf({ started_at, ended_at }: Call): number {
  return (Date.parse(ended_at ?? '') - Date.parse(started_at)) / 1000
}

function tokensOf(call: Call | undefined): number | null {
  const usage = Object.values((call?.summary?.['usage'] ?? {}) as Record<string, { total_tokens: number }>)
  return usage.length === 0 ? null : usage.reduce((sum, { total_tokens }) => sum + total_tokens, 0)
}

/** Statistics of each value in the scores of trials, by scorer and path. */
export function recomputeStats(trials: readonly Trial[]): Map<string, Stats> {
  const leaves = trials.flatMap(({ scores }) =>
    Object.entries(scores).flatMap(([name, value]) => leavesOf(value).map((leaf) => ({ name, ...leaf }))),
  )
  const byPlace = new Map<string, typeof leaves>()
  for (const leaf of leaves) byPlace.set(`${leaf.name} ${leaf.path}`, [...(byPlace.get(`${leaf.name} ${leaf.path}`) ?? []), leaf])
  return new Map([...byPlace].map(([place, own]) => [place, statsOf(own)]))
}

interface Leaf {
  path: string | null
  value: unknown
}

function leavesOf(value: unknown, path: string | null = null): Leaf[] {
  if (!isObject(value)) return value === null || Array.isArray(value) ? [] : [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, path === null ? key : `${path}.${key}`))
}

function statsOf(leaves: readonly (Leaf & { name: string })[]): Stats {
  const [first] = leaves
  const numbers = leaves.flatMap(({ value }) => (typeof value === 'number' ? [value] : []))
  const known = leaves.filter(({ value }) => typeof value === 'boolean')
  const passed = known.filter(({ value }) => value === true)
  const types = { boolean: 'binary', number: 'continuous', string: 'text' } as const
  return {
    scorer_key: first?.name ?? '',
    path: first?.path ?? null,
    value_type: types[typeof first?.value as keyof typeof types],
    trial_count: leaves.length,
    numeric_count: numbers.length,
    numeric_mean: numbers.length === 0 ? null : numbers.reduce((a, b) => a + b) / numbers.length,
    pass_true_count: passed.length,
    pass_known_count: known.length,
    pass_rate: known.length === 0 ? null : passed.length / known.length,
    pass_signal_coverage: known.length / leaves.length,
  }
}
