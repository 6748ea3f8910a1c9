import { tracing } from '@heddle/core-api'
import { given } from '../schema/given.ts'

/** Ids of root calls of evaluations, at least one. */
export const EvaluationIds = given(tracing.evalResults.query.body.shape.evaluation_call_ids)
/** One such id. */
export const EvaluationId = EvaluationIds.element.describe('Id of the run')
