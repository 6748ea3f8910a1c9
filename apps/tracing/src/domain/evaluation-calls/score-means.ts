import { isJsonObject, numberText } from '@heddle/core-api/internal'
import { objectIn } from './stored-call.ts'

/**
 * The mean of each score over the trials of a run; under `output` that of outputs which are numbers, and under `model_latency`, unless that is a score,
 * that of the seconds which the model took, where these were measured.
 */
export type ScoreMeans = Record<string, { mean: number }>

/** Collects the scores of trials. Only finite numbers and booleans count; true is 1 and false is 0. */
export interface ScoreMeansBuilder {
  /** `output` is that of a trial; one that is not an object does not count. */
  add(output: unknown): void
  /** Number of names for which means are collected. */
  readonly names: number
  /** Names without any value are omitted, and so are those whose sum is beyond the range of numbers. */
  toMeans(): ScoreMeans
}

interface Total {
  sum: number
  count: number
}

export function createScoreMeans(): ScoreMeansBuilder {
  const scores = new Map<string, Total>()
  const outputs: Total = { sum: 0, count: 0 }
  const latencies: Total = { sum: 0, count: 0 }
  const totalOf = (name: string): Total => {
    const total = scores.get(name) ?? { sum: 0, count: 0 }
    scores.set(name, total)
    return total
  }
  return {
    add(output) {
      if (!isJsonObject(output)) return
      for (const [name, value] of Object.entries(objectIn(output, 'scores'))) include(value, () => totalOf(name))
      include(output['output'], () => outputs)
      // A trial that was recorded after its end has a latency of 0.
      const seconds = objectIn(output, 'model_latency')['mean']
      if (Number(numberText(seconds)) > 0) include(seconds, () => latencies)
    },
    get names() {
      return scores.size
    },
    toMeans() {
      const all = new Map([['model_latency', latencies], ...scores])
      if (outputs.count > 0) all.set('output', outputs)
      const finite = [...all].filter(([, { sum, count }]) => count > 0 && Number.isFinite(sum))
      return Object.fromEntries(finite.map(([name, { sum, count }]) => [name, { mean: sum / count }]))
    },
  }
}

function include(value: unknown, totalOf: () => Total): void {
  const number = typeof value === 'boolean' ? Number(value) : Number(numberText(value) ?? Number.NaN)
  if (!Number.isFinite(number)) return
  const total = totalOf()
  total.sum += number
  total.count += 1
}
