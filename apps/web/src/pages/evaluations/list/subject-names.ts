import type { EvaluationRun } from '@heddle/evaluations'

/** Name of a model without its version. */
export const modelName = (model: string) => model.replace(/:[^:]*$/, '')

/** Names of the models of runs as the list shows them: without the version where no run has another version of the model. */
export function subjectNames(runs: readonly Pick<EvaluationRun, 'model'>[]): ReadonlyMap<string, string> {
  const models = [...new Set(runs.flatMap(({ model }) => model ?? []))]
  const names = models.map(modelName)
  const isAlone = (name: string) => names.indexOf(name) === names.lastIndexOf(name)
  return new Map(models.map((model) => [model, isAlone(modelName(model)) ? modelName(model) : model]))
}
