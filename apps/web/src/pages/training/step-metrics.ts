import type { TrainingEvent } from '@heddle/core-api'

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
  points: readonly { step: number; value: number }[]
}

const groups = [
  { title: 'Reward', holds: /reward|advantage/ },
  { title: 'Loss', holds: /loss|entropy|kl|ratio|clip/ },
  { title: 'Optimiser', holds: /learning_rate|^lr$|grad|norm/ },
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

/** A curve for each metric, by group: reward, loss, optimiser and all else. Groups without a curve are left out. */
export function groupCurves(steps: readonly StepMetrics[]): { title: string; curves: Curve[] }[] {
  const names = [...new Set(steps.flatMap(({ values }) => [...values.keys()]))]
  const titleOf = (name: string) => groups.find(({ holds }) => holds.test(name))?.title ?? 'Other'
  return [...groups.map(({ title }) => title), 'Other'].flatMap((title) => {
    const curves = names.filter((name) => titleOf(name) === title).map((name) => ({ name, points: pointsOf(steps, name) }))
    return curves.length > 0 ? [{ title, curves }] : []
  })
}

function pointsOf(steps: readonly StepMetrics[], name: string) {
  return steps.flatMap(({ step, values }) => {
    const value = values.get(name)
    return value === undefined ? [] : [{ step, value }]
  })
}

/** An exponential average, corrected for its start: without the correction the first values would be drawn to 0. */
export function smooth(values: readonly number[], factor: number): number[] {
  let average = 0
  return values.map((value, at) => {
    average = factor * average + (1 - factor) * value
    return average / (1 - factor ** (at + 1))
  })
}

/** A range of steps with the lowest and highest value in it. */
export interface ThinnedPoint {
  step: number
  low: number
  high: number
  last: number
}

/** At most `count` points, each for as many steps: none of the extremes is lost. */
export function thin(points: Curve['points'], count: number): ThinnedPoint[] {
  const size = Math.max(1, Math.ceil(points.length / count))
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) => {
    const part = points.slice(at * size, (at + 1) * size)
    const values = part.map(({ value }) => value)
    return { step: part.at(-1)?.step ?? 0, low: Math.min(...values), high: Math.max(...values), last: values.at(-1) ?? 0 }
  })
}
