import type { EvaluationRun } from '@heddle/evaluations'

/** What tells runs apart in the order given: their names; where some are equal, their models; and where those are too, the end of their ids. */
export function runLabels(runs: readonly EvaluationRun[]): string[] {
  const names = runs.map(({ name }) => name)
  const models = runs.map(({ model }) => model?.replace(/:[^:]*$/, '') ?? '')
  const both = runs.map(({ name, model }) => `${name}, ${model ?? 'no model'}`)
  return [names, models, both].find(areDistinct) ?? runs.map(({ name, id }) => `${name}, ${id.slice(-8)}`)
}

const areDistinct = (labels: readonly string[]) => !labels.includes('') && new Set(labels).size === labels.length
