import { canonicalJson } from '@heddle/json'
import { textDigest } from '../../../payload/digest.ts'
import { evaluateExpression } from '../../../query/testing/evaluate-expression.ts'
import type { RandomRequest } from './random-evaluations.ts'
import { costOf, predictMs, type RecordedEvaluation, recordedScores, type RecordedTrial, tokensOf, trialMs } from './record-evaluations.ts'

type Json = Record<string, unknown>
interface Row {
  digest: string
  /** Trials by the place of their evaluation in the request. */
  trials: RecordedTrial[][]
}

interface World {
  /** The requested evaluations, in the order of the request; one without trials for an unknown id. */
  evaluations: readonly RecordedEvaluation[]
  /** Rows of the dataset by digest. */
  stored: ReadonlyMap<string, unknown>
}

/** The answer to a request, computed from what the trials were meant to be. */
export function plainResults({ evaluations, stored }: World, request: RandomRequest): Json {
  const rows = groupTrials(evaluations)
  const inScope = (row: Row, scope: number | null) => {
    if (scope === null) return row.trials.flat()
    return row.trials[request.evaluations.indexOf(scope)] ?? []
  }
  const first = (row: Row, field: string, scope: number | null): string => {
    if (field === 'row_digest') return row.digest
    return (
      inScope(row, scope)
        .map((trial) => textAt(trial, field, stored))
        .find((text) => text !== '') ?? ''
    )
  }
  const isWhole = (row: Row) => row.trials.every((trials) => trials.length > 0)

  const matching = rows.filter((row) => {
    const holds = request.filters.map(({ scope, $expr }) => ({ scope, truth: holdsFor($expr, (field) => first(row, field, scope)) }))
    if (request.filter_logic_operator !== 'or' || holds.length === 0) return holds.every(({ truth }) => truth)
    const scopes = new Set(holds.map(({ scope }) => scope))
    return [...scopes].some((scope) => holds.every((one) => one.scope !== scope || one.truth))
  })

  const mean = (trials: RecordedTrial[], field: string) => {
    const numbers = trials.map((trial) => toNumber(textAt(trial, field, stored))).filter((number) => number !== undefined)
    return numbers.length === 0 ? undefined : numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  }
  const orderOf = (row: Row, { field, mode, scope }: RandomRequest['sort_by'][number]): { number: number | undefined; text: string } => {
    if (!field.startsWith('scores.')) {
      const text = first(row, field, scope)
      return { number: toNumber(text), text }
    }
    if (mode === 'value' || evaluations.length === 1) return { number: mean(inScope(row, scope), field), text: '' }
    const means = row.trials.map((trials) => mean(trials, field)).filter((number) => number !== undefined)
    return { number: means.length === row.trials.length ? Math.max(...means) - Math.min(...means) : undefined, text: '' }
  }
  const sorted = matching.toSorted((one, other) => {
    for (const key of request.sort_by) {
      const sign = key.direction === 'asc' ? 1 : -1
      const [a, b] = [orderOf(one, key), orderOf(other, key)]
      const order =
        absentLast(a.number, b.number) ||
        sign * ((a.number ?? 0) - (b.number ?? 0)) ||
        absentLast(a.text || undefined, b.text || undefined) ||
        sign * Buffer.compare(Buffer.from(a.text), Buffer.from(b.text))
      if (order !== 0) return order
    }
    return one.digest < other.digest ? -1 : 1
  })

  const listed = request.include_rows ? sorted.filter((row) => !request.require_intersection || isWhole(row)) : []
  const offset = Math.max(request.offset, 0)
  const page = listed.slice(offset, request.limit === null ? undefined : offset + request.limit)
  const summarized = matching.filter((row) => !(request.summary_require_intersection ?? request.require_intersection) || isWhole(row))
  const raw = page.map((row) => rawRow(row, stored, request))
  return {
    rows: page.map((row, at) => ({
      row_digest: row.digest,
      raw_data_row: raw[at]?.value ?? null,
      evaluations: row.trials.flatMap((trials, index) =>
        trials.length === 0 ? [] : [{ evaluation_call_id: evaluations[index]?.id, trials: trials.map((trial) => trialOf(trial, request)) }],
      ),
    })),
    total_rows: listed.length,
    summary: request.include_summary ? summaryOf(summarized, evaluations, request) : null,
    warnings: raw.some(({ isMissing }) => isMissing) ? ['Failed to resolve dataset row refs; raw_data_row may contain refs'] : [],
  }
}

function groupTrials(evaluations: readonly RecordedEvaluation[]): Row[] {
  const rows = new Map<string, Row>()
  evaluations.forEach(({ trials }, index) => {
    for (const trial of trials) {
      const digest = digestOf(trial.example)
      if (!rows.has(digest)) rows.set(digest, { digest, trials: evaluations.map(() => []) })
      rows.get(digest)?.trials[index]?.push(trial)
    }
  })
  return [...rows.values()].sort((one, other) => (one.digest < other.digest ? -1 : 1))
}

function digestOf(example: unknown): string {
  if (typeof example !== 'string') return textDigest(canonicalJson(example))
  return example.includes('/attr/rows/id/') ? String(example.split('/').at(-1)) : textDigest(example)
}

function rawRow(
  { digest, trials }: Row,
  stored: ReadonlyMap<string, unknown>,
  request: RandomRequest,
): { value: unknown; isMissing: boolean } {
  const value = request.include_raw_data_rows ? (trials.flat().find(({ example }) => example !== null)?.example ?? null) : null
  const isRef = typeof value === 'string' && value.includes('/attr/rows/id/')
  if (!isRef || !request.resolve_row_refs) return { value, isMissing: false }
  return stored.has(digest) ? { value: stored.get(digest), isMissing: false } : { value, isMissing: true }
}

function scoresOf(trial: RecordedTrial, children: boolean): Json {
  const { late } = trial
  const isAdded = children && late !== undefined && !late.failed && late.value !== null && 'after' in trial.scoreIds
  return { ...recordedScores(trial), ...(isAdded && { after: late.value }) }
}

function trialOf(trial: RecordedTrial, request: RandomRequest): Json {
  const children = request.include_predict_and_score_children
  const { id, predict, predictId, scoreIds, ended, latency } = trial
  const scores = scoresOf(trial, children)
  const hasPredict = children && predictId !== ''
  const told = ended ? (typeof latency === 'object' ? (latency?.mean ?? null) : latency) : null
  const own = !children && ended ? trialMs / 1000 : null
  return {
    predict_and_score_call_id: id,
    predict_call_id: hasPredict ? predictId : null,
    model_output: ended ? trial.output : null,
    scores,
    model_latency_seconds: (hasPredict && predict?.ended ? predictMs / 1000 : null) ?? told ?? own,
    total_tokens: tokensIn(trial, children),
    total_cost: costIn(trial, request),
    scorer_call_ids: children ? Object.fromEntries(Object.entries(scoreIds).filter(([key]) => key in scores)) : {},
    genai_span_ref: null,
  }
}

function costIn({ predict, predictId }: RecordedTrial, request: RandomRequest): number | null {
  const isPriced = request.include_costs && request.include_predict_and_score_children && predictId !== ''
  return isPriced && predict?.ended ? costOf(predict.tokens) : null
}

function tokensIn({ predict, predictId, ended, tokens }: RecordedTrial, children: boolean): number | null {
  if (children && predictId !== '') return predict?.ended ? tokensOf(predict.tokens) : null
  return ended ? tokensOf(tokens) : null
}

function summaryOf(rows: readonly Row[], evaluations: readonly RecordedEvaluation[], request: RandomRequest): Json {
  const children = request.include_predict_and_score_children
  const seen = new Set(rows.flatMap((row) => row.trials.flatMap((trials, index) => (trials.length > 0 ? [index] : []))))
  return {
    row_count: rows.length,
    evaluations: [...seen].map((place) => {
      const trials = rows.flatMap((row) => row.trials[place] ?? [])
      const tokens = trials.map((trial) => tokensIn(trial, children)).filter((count) => count !== null)
      const costs = trials.map((trial) => costIn(trial, request)).filter((cost) => cost !== null)
      return {
        evaluation_call_id: evaluations[place]?.id,
        trial_count: trials.length,
        predict_total_tokens: sumOf(tokens),
        predict_total_cost: sumOf(costs),
        scorer_stats: statsOf(trials.flatMap((trial) => leaves(scoresOf(trial, children), []))),
      }
    }),
  }
}

/** Null where there is nothing to add up. */
const sumOf = (numbers: readonly number[]) => (numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0))

type Leaf = [path: string[], value: unknown]

function leaves(value: unknown, path: string[]): Leaf[] {
  if (value === null || Array.isArray(value)) return []
  if (typeof value !== 'object') return [[path, value]]
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]))
}

function statsOf(all: readonly Leaf[]): Json[] {
  const names = [...new Set(all.map(([path]) => JSON.stringify(path)))]
  return names.map((name) => {
    const values = all.filter(([path]) => JSON.stringify(path) === name).map(([, value]) => value)
    const numbers = values.filter((value) => typeof value === 'number')
    const known = values.filter((value) => typeof value === 'boolean')
    const passes = known.filter(Boolean).length
    const [scorer_key, ...path] = JSON.parse(name) as string[]
    return {
      scorer_key,
      path: path.length === 0 ? null : path.join('.'),
      value_type: { boolean: 'binary', number: 'continuous', string: 'text' }[typeof values[0] as 'boolean'],
      trial_count: values.length,
      numeric_count: numbers.length,
      numeric_mean: numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length,
      pass_true_count: passes,
      pass_known_count: known.length,
      pass_rate: known.length === 0 ? null : passes / known.length,
      pass_signal_coverage: known.length / values.length,
    }
  })
}

/** The text of a field in a trial; empty where there is nothing. */
function textAt(trial: RecordedTrial, field: string, stored: ReadonlyMap<string, unknown>): string {
  if (field === 'row_digest') return digestOf(trial.example)
  const [root, ...path] = field.split('.')
  const step = (value: unknown, key: string) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json)[key] : undefined
  if (root === 'scores') return textOf(path.reduce(step, recordedScores(trial)), true)
  const digest = digestOf(trial.example)
  const isRef = typeof trial.example === 'string' && stored.has(digest)
  if (root === 'inputs') return textOf(path.reduce(step, isRef ? stored.get(digest) : trial.example), false)
  // Both of these lead into what the model returned.
  const inModel = root === 'output' ? path.slice(1) : path
  return trial.ended && !(root === 'output' && trial.client === 'function') ? textOf(inModel.reduce(step, trial.output), false) : ''
}

function textOf(value: unknown, isScore: boolean): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean' && isScore) return value ? '1' : '0'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toNumber(text: string): number | undefined {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

function absentLast(one: unknown, other: unknown): number {
  return Number(one === undefined) - Number(other === undefined)
}

/** Asks the evaluator of call queries, with the fields of the row among the inputs of a call. */
function holdsFor($expr: unknown, read: (field: string) => string): boolean {
  const inputs: Json = {}
  const renamed = JSON.parse(JSON.stringify($expr), (key, value: unknown) => {
    if (key !== '$getField') return value
    const text = read(String(value))
    const name = Object.keys(inputs).length
    inputs[`f${name}`] = text === '' ? null : text
    return `inputs.f${name}`
  }) as never
  return evaluateExpression({ $expr: renamed }, { id: 'row', inputs }) === true
}
