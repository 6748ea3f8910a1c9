/** What runs, predictions and scores of a project are, without any call: the oracle of the views. */
export interface EvaluationModel {
  runs: ModelRun[]
  predictions: ModelPrediction[]
  scores: ModelScore[]
}

export interface ModelRun {
  id: string
  /** Undefined while it runs. */
  means: Record<string, { mean: number }> | undefined
}

export interface ModelPrediction {
  id: string
  run: string | null
  output: unknown
  /** The end of its trial; undefined while that is open, and without a run. */
  trial: { output: unknown; scores: Record<string, unknown> } | undefined
  isDeleted: boolean
}

export interface ModelScore {
  id: string
  prediction: ModelPrediction
  scorer: string
  value: unknown
  run: string | null
}

/** The run whose tree holds a score; null for a score without a run. */
export function treeOf({ prediction, run }: ModelScore): string | null {
  return run === null ? null : (prediction.run ?? run)
}

export function finishPrediction({ scores }: EvaluationModel, prediction: ModelPrediction): void {
  if (prediction.run === null) return
  const own = scores.filter((score) => score.prediction === prediction && score.run !== null && score.value !== null)
  prediction.trial = { output: prediction.output, scores: Object.fromEntries(own.map(({ scorer, value }) => [scorer, value])) }
}

export function finishRun(model: EvaluationModel, run: ModelRun): void {
  if (run.means !== undefined) return
  const values = new Map<string, number[]>()
  const outputs: number[] = []
  for (const { run: of, trial } of model.predictions) {
    if (of !== run.id || trial === undefined) continue
    for (const [name, value] of Object.entries(trial.scores)) if (isNumeric(value)) values.set(name, [...(values.get(name) ?? []), +value])
    if (isNumeric(trial.output)) outputs.push(+trial.output)
  }
  if (outputs.length > 0) values.set('output', outputs)
  run.means = Object.fromEntries([...values].map(([name, all]) => [name, { mean: all.reduce((a, b) => a + b, 0) / all.length }]))
}

export function deleteRun(model: EvaluationModel, run: ModelRun): void {
  model.runs = model.runs.filter((other) => other !== run)
  model.scores = model.scores.filter((score) => treeOf(score) !== run.id)
  model.predictions = model.predictions.filter((prediction) => prediction.run !== run.id)
}

const isNumeric = (value: unknown): value is number | boolean => typeof value === 'number' || typeof value === 'boolean'
