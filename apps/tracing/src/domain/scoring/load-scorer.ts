import { parseRef } from '@heddle/core-api'
import { judgeScorerClass, serverScorerClasses } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { createLimitedRun } from '../../payload/limited-run.ts'
import type { BeginSchemaChecks } from '../../records/feedback/write/schema-mismatch.ts'
import type { LoadObject } from './load-object.ts'
import { type RunnableScorer, toRunnableScorer } from './runnable-scorer.ts'

/** Reads a scorer of the project. @throws ObjectError, ScorerError or ModelError for one that this server cannot run */
export type LoadScorer = (project: ProjectScope, ref: string) => Promise<RunnableScorer>

/** Where a judge may hold references. */
const judgeRefs = [
  'model',
  'model.llm_model_id',
  'model.llm_model_id.provider',
  'model.default_params.prompt',
  'scoring_prompt',
  'prompt_ref',
  'scoring_prompt_ref',
]

export function createLoadScorer(loadObject: LoadObject, beginSchemaChecks: BeginSchemaChecks): LoadScorer {
  const limitedRun = createLimitedRun()
  return async (project, ref) => {
    const { value: stored, classes } = await loadObject(project, ref)
    const className = classes.find((name) => serverScorerClasses.includes(name)) ?? classes[0] ?? 'none'
    const value = className === judgeScorerClass ? (await loadObject(project, ref, judgeRefs)).value : stored
    const model = stored['model']
    const modelRef = typeof model === 'string' && parseRef(model) !== undefined ? model : null
    // The time limit of schema checks is that of one request; each score gets its own.
    const findMismatch = (schema: unknown, output: unknown) => beginSchemaChecks()(schema, output)
    return toRunnableScorer({ ref, className, value, modelRef }, { findMismatch, limitedRun })
  }
}
