import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { commaListOf } from '../shapes/comma-list.ts'
import { Identifier, Reference } from '../shapes/identifier.ts'
import { orNull } from '../shapes/optional.ts'
import { ProjectPath } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { Summary } from './calls/summary.ts'
import { ListPage } from './collections/collection.ts'

const path = '/v2/{entity}/{project}/evaluation_runs'
const OneRun = ProjectPath.extend({ evaluation_run_id: Identifier.describe('Id of the run') })
const anyOf = (what: string) => orNull(commaListOf(1000)).describe(`Only runs of these ${what}, at most 1000. Null or empty: all`)

/** One execution of an evaluation on a model. */
export const EvaluationRun = z
  .object({
    evaluation_run_id: z.string().describe('Id of the run, which is the id of its call'),
    evaluation: z.string().describe('Reference to the evaluation, as it was given. Empty without one'),
    model: z.string().describe('Reference to the model, as it was given. Empty without one'),
    status: z.enum(['running', 'completed', 'failed']).nullable().describe('`failed`: ended with an exception'),
    started_at: TimestampText.nullable(),
    finished_at: TimestampText.nullable().describe('Null while it runs'),
    summary: z.record(z.string(), z.unknown()).nullable().describe('Summary of the call, with its computed block `weave`'),
    source_evaluation_run_id: z.string().nullable().describe('Run from which this one was made'),
  })
  .meta({ id: 'EvaluationRun' })
export type EvaluationRun = z.output<typeof EvaluationRun>

/** Runs of evaluations, as a view over calls. */
export const evaluationRuns = defineResource('Executions of evaluations on models', {
  create: {
    method: 'POST',
    path,
    effect: 'write',
    summary: 'Start an evaluation run',
    description: 'Writes a call that has started. Predictions and scores name it by its id; finishing it computes the means of its scores.',
    repeat: 'adds',
    params: ProjectPath,
    body: z.object({
      evaluation: Reference.describe('Reference to the evaluation. Not checked'),
      model: Reference.describe('Reference to the model. Not checked'),
      source_evaluation_run_id: orNull(Identifier).describe('Run from which this one is made. Not checked'),
    }),
    output: z.object({ evaluation_run_id: z.string().describe('Id of the run') }),
  },
  list: {
    method: 'GET',
    path,
    effect: 'read',
    summary: 'List evaluation runs',
    description: 'Runs that were created here, one per line, by start; runs that SDKs recorded as calls are read by their id.',
    params: ProjectPath,
    query: z.object({
      evaluations: anyOf('evaluations, by their reference'),
      models: anyOf('models, by their reference'),
      evaluation_run_ids: anyOf('ids'),
      ...ListPage.shape,
    }),
    output: EvaluationRun,
    stream: 'jsonl',
  },
  read: {
    method: 'GET',
    path: `${path}/{evaluation_run_id}`,
    effect: 'read',
    summary: 'Read an evaluation run',
    description: 'Reads any call as a run, also one that an SDK recorded.',
    params: OneRun,
    output: EvaluationRun,
  },
  finish: {
    method: 'POST',
    path: `${path}/{evaluation_run_id}/finish`,
    effect: 'write',
    summary: 'Finish an evaluation run',
    description:
      'Ends the call of the run with the mean of each score, and of outputs that are numbers, over its finished predictions. Finish those first. A run that has ended stays as it is.',
    params: OneRun,
    body: z.object({ summary: orNull(Summary).describe('Summary of the call. Null: empty') }),
    output: z.object({ success: z.boolean() }),
  },
  delete: {
    method: 'DELETE',
    path,
    effect: 'destroy',
    summary: 'Delete evaluation runs',
    description: 'Deletes their calls with everything below them: predictions and scores.',
    params: ProjectPath,
    query: z.object({ evaluation_run_ids: commaListOf(1000).describe('Ids of runs, at most 1000') }),
    output: z.object({ num_deleted: z.number().describe('Number of ids given') }),
  },
})
