import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { Identifier, Reference } from '../shapes/identifier.ts'
import { ProjectId } from '../shapes/project.ts'

/** How far the run of an evaluation is. */
export const EvaluationStatus = z
  .discriminatedUnion('code', [
    z.object({ code: z.literal('not_found').describe('The call was not found, or the run has not started') }),
    z.object({
      code: z.literal('running'),
      completed_rows: z.number().describe('Rows whose prediction and scores have ended, trials counted'),
      total_rows: z.number().describe('Rows of the dataset, or the completed ones where those are more'),
    }),
    z.object({ code: z.literal('failed'), error: z.string().nullable().describe('The exception of the run') }),
    z.object({ code: z.literal('complete'), output: z.record(z.string(), z.unknown()).describe('The result of the run') }),
  ])
  .meta({ id: 'EvaluationStatus' })
export type EvaluationStatus = z.output<typeof EvaluationStatus>

/** Runs of evaluations on the server. */
export const evaluationJobs = defineResource('Definitions of evaluations, and their execution on the server', {
  evaluateModel: {
    method: 'POST',
    path: '/evaluations/evaluate_model',
    effect: 'write',
    repeat: 'adds',
    summary: 'Evaluate a model on the server',
    description:
      'Starts a run and returns at once. The model is an `LLMStructuredCompletionModel`; the scorers are of the classes `LLMAsAJudgeScorer`, `ExactMatchScorer`, `FuzzyMatchScorer`, `JSONValidityScorer`, `RegexScorer`, `SimilarityScorer` and `NumericThresholdScorer`. A run has at most 100,000 predictions. Needs a configured model provider.',
    body: z.object({
      project_id: ProjectId,
      evaluation_ref: Reference.describe('Reference to the evaluation, in the same project'),
      model_ref: Reference.describe('Reference to the model, in the same project'),
    }),
    output: z.object({ call_id: z.string().describe('Id of the call of the run, which is made when it starts') }),
  },
  status: {
    method: 'POST',
    path: '/evaluations/status',
    effect: 'read',
    summary: 'Get the status of the run of an evaluation',
    description: 'For runs on the server and runs of clients alike.',
    body: z.object({ project_id: ProjectId, call_id: Identifier.describe('Id of the call of the run') }),
    output: z.object({ status: EvaluationStatus }),
  },
})
