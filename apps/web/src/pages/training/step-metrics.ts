import type { TrainingEvent } from '@heddle/core-api/types'
import type { CurvePoint } from '../../features/curves/curve-view.ts'

/** The numbers of one gradient step. */
export interface StepMetrics {
  /** From 1. */
  step: number
  at: string
  values: ReadonlyMap<string, number>
}

/** A metric over the gradient steps of a job. */
export interface Curve {
  name: string
  points: readonly CurvePoint[]
}

/** Kinds of metrics in the order in which they are shown. */
const kinds = [
  /^reward$/,
  /reward|advantage/,
  /loss$|^loss$/,
  /loss|entropy|kl|ratio|clip/,
  /learning_rate|^lr$|grad|norm/,
  /tokens|_per_|second|duration|throughput|samples|sequences/,
]

/** They count steps, and measure nothing. */
const counters: ReadonlySet<string> = new Set(['gradient_step', 'num_gradient_steps'])

/** The gradient steps among the events of a job, in their order, without non-finite values and the number of the step. */
export function stepsOf(events: readonly TrainingEvent[]): StepMetrics[] {
  return events
    .filter(({ type }) => type === 'gradient_step')
    .map(({ data, created_at }, at) => {
      const numbers = Object.entries(data).filter(
        (entry): entry is [string, number] => !counters.has(entry[0]) && typeof entry[1] === 'number' && Number.isFinite(entry[1]),
      )
      return { step: at + 1, at: created_at, values: new Map(numbers) }
    })
}

/** Names of metrics: rewards first, then losses, the optimizer, throughput and all else. */
export function sortByKind(names: readonly string[]): string[] {
  const rankOf = (name: string) => {
    const rank = kinds.findIndex((holds) => holds.test(name))
    return rank < 0 ? kinds.length : rank
  }
  return names.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** A curve for each metric, the most informative ones first. */
export function curvesOf(steps: readonly StepMetrics[]): Curve[] {
  const names = [...new Set(steps.flatMap(({ values }) => [...values.keys()]))]
  return sortByKind(names).map((name) => ({ name, points: pointsOf(steps, name) }))
}

function pointsOf(steps: readonly StepMetrics[], name: string) {
  return steps.flatMap(({ step, at, values }) => {
    const value = values.get(name)
    return value === undefined ? [] : [{ step, at, value }]
  })
}

/** A row for each step, with a column for each metric, for programs that read tables. */
export function metricsCsv(steps: readonly StepMetrics[]): string {
  const names = [...new Set(steps.flatMap(({ values }) => [...values.keys()]))]
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const rows = steps.map(({ step, at, values }) => [step, at, ...names.map((name) => values.get(name) ?? '')].join(','))
  return [['step', 'time', ...names].map(quoted).join(','), ...rows, ''].join('\n')
}
