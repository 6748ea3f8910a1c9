import type { tracing } from '@heddle/core-api'
import type { EvalTrial } from '@heddle/core-api/types'
import type { ClientOf } from '@heddle/core-api/client'
import { scoreObjectName } from '../../../features/feedback/score-object-name.ts'
import type { ProjectName } from '../../../lib/use-project.ts'

type Client = ClientOf<typeof tracing>

interface HandScore {
  trial: EvalTrial
  /** Id of its run. */
  run: string
  name: string
  value: number | boolean
}

/**
 * Records a user's score on a trial, in its run. An existing score of the trial with the same name is replaced.
 * @throws Error when a scorer that ran with the evaluation has this name; ApiError as the operations do
 */
export async function saveScore(client: Client, project: ProjectName, { trial, run, name, value }: HandScore): Promise<void> {
  const { entity, project: projectName, id: project_id } = project
  const object_id = scoreObjectName(name)
  const former = trial.scorer_call_ids[object_id]
  if (Object.hasOwn(trial.scores, object_id) && (former === undefined || !(await isByHand(client, project, former))))
    throw new Error(`a scorer of the run is named "${object_id}" already: choose another name`)
  const val = { name: name.trim(), field_schema: { type: typeof value } }
  const obj = { project_id, object_id, val, builtin_object_class: 'AnnotationSpec' }
  const { digest } = await client.objects.create({ obj } as Parameters<Client['objects']['create']>[0])
  const scorer = `weave:///${project_id}/object/${object_id}:${digest}`
  const prediction_id = trial.predict_call_id ?? ''
  await client.scores.create({ entity, project: projectName, prediction_id, scorer, value, evaluation_run_id: run })
  // Last, so that a failure before keeps the former score.
  if (former !== undefined) await client.scores.delete({ entity, project: projectName, score_ids: [former] })
}

/** Whether the score was recorded by this function: its scorer is an annotation spec. */
async function isByHand(client: Client, { entity, project }: ProjectName, score_id: string): Promise<boolean> {
  const { scorer } = await client.scores.read({ entity, project, score_id })
  if (scorer === '') return false
  const [val] = (await client.refs.readBatch({ refs: [scorer] })).vals
  return (
    typeof val === 'object' && val !== null && Object.hasOwn(val, '_class_name') && Reflect.get(val, '_class_name') === 'AnnotationSpec'
  )
}
