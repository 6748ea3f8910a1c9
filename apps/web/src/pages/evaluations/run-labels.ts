import type { EvaluationRun } from '@heddle/evaluations'

/**
 * Labels that distinguish runs in the given order: their names; if some are equal, their models; and if those are equal too, the end of their ids.
 */
export function runLabels(runs: readonly EvaluationRun[]): string[] {
  const names = runs.map(({ name }) => name)
  const models = runs.map(({ model }) => model?.replace(/:[^:]*$/, '') ?? '')
  const both = runs.map(({ name, model }) => `${name}, ${model ?? 'no model'}`)
  return [names, models, both].find(areDistinct) ?? runs.map(({ name, id }) => `${name}, ${id.slice(-8)}`)
}

const areDistinct = (labels: readonly string[]) => !labels.includes('') && new Set(labels).size === labels.length

/** Shorter labels: models with only their versions, if those distinguish runs. */
export function runTitles(runs: readonly EvaluationRun[]): string[] {
  const labels = runLabels(runs)
  const versions = runs.map(({ model }) => model ?? '')
  const hasBoth = runs.some(({ name, model }, at) => labels[at] === `${name}, ${model}`)
  return hasBoth && areDistinct(versions) ? versions : labels
}
