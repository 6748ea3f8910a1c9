import { baseModel, type DemoContext } from './demo-context.ts'
import { attemptTask, judgeAttempt } from './weather-agent.ts'

/** References to what an evaluation consists of. */
export interface EvaluationDefinition {
  evaluation: string
  scorer: string
}

/** Last part of the name of the scorer, by which its scores are named. */
export const scorerName = 'answer'

/** Publishes dataset, scorer and evaluation; the same content of an earlier run stays the version that it is. */
export async function publishEvaluation({ tracing, place, tasks, options, signal }: DemoContext): Promise<EvaluationDefinition> {
  const description = 'Questions about cities that the agent does not practise on'
  const rows = tasks.heldOut.map((task) => ({ ...task }))
  const dataset = await tracing.datasets.create({ ...place, name: 'weather-questions', description, rows }, { signal })
  const scorer = await tracing.scorers.create({ ...place, name: scorerName, op_source_code: String(judgeAttempt) }, { signal })
  const datasetRef = `weave:///${options.project}/object/${dataset.object_id}:${dataset.digest}`
  const body = { name: 'weather', description, dataset: datasetRef, scorers: [scorer.scorer], trials: 1 }
  const { evaluation_ref } = await tracing.evaluations.create({ ...place, ...body }, { signal })
  return { evaluation: evaluation_ref, scorer: scorer.scorer }
}

/** Publishes a checkpoint as the model of an evaluation run. Returns its reference. */
export async function publishCheckpoint({ tracing, place, modelName, address, signal }: DemoContext, step: number): Promise<string> {
  const attributes = { checkpoint: `${address}:step${step}`, base_model: baseModel, step }
  const source_code = String(attemptTask)
  const { model_ref } = await tracing.models.create({ ...place, name: `${modelName}-step${step}`, source_code, attributes }, { signal })
  return model_ref
}
