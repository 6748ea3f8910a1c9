import type { TrainingEvent } from '@heddle/core-api'
import type { CurvePoint } from '../curves/curve-view.ts'

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

const groups = [
  { title: 'Reward', holds: /reward|advantage/ },
  { title: 'Loss', holds: /loss|entropy|kl|ratio|clip/ },
  { title: 'Optimiser', holds: /learning_rate|^lr$|grad|norm/ },
  { title: 'Throughput', holds: /tokens|_per_|second|duration|throughput|samples|sequences/ },
] as const

/** The gradient steps among the events of a job, in their order. Values that are not finite numbers are left out. */
export function stepsOf(events: readonly TrainingEvent[]): StepMetrics[] {
  return events
    .filter(({ type }) => type === 'gradient_step')
    .map(({ data, created_at }, at) => {
      const numbers = Object.entries(data).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
      )
      return { step: at + 1, at: created_at, values: new Map(numbers) }
    })
}

/** Tokens that the gradient steps learned from; undefined where none of them counted any. */
export function trainedTokens(steps: readonly StepMetrics[]): number | undefined {
  const counts = steps.flatMap(({ values }) => values.get('num_trainable_tokens') ?? [])
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0)
}

/** Names of metrics by group: reward, loss, optimiser, throughput and all else. Groups without a name are left out. */
export function groupByKind(names: readonly string[]): { title: string; names: string[] }[] {
  const titleOf = (name: string) => groups.find(({ holds }) => holds.test(name))?.title ?? 'Other'
  return [...groups.map(({ title }) => title), 'Other'].flatMap((title) => {
    const of = names.filter((name) => titleOf(name) === title)
    return of.length > 0 ? [{ title, names: of }] : []
  })
}

/** A curve for each metric, by group. */
export function groupCurves(steps: readonly StepMetrics[]): { title: string; curves: Curve[] }[] {
  const names = [...new Set(steps.flatMap(({ values }) => [...values.keys()]))]
  return groupByKind(names).map(({ title, names: of }) => ({ title, curves: of.map((name) => ({ name, points: pointsOf(steps, name) })) }))
}

function pointsOf(steps: readonly StepMetrics[], name: string) {
  return steps.flatMap(({ step, at, values }) => {
    const value = values.get(name)
    return value === undefined ? [] : [{ step, at, value }]
  })
}
