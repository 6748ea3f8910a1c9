import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { commaListOf } from '../shapes/comma-list.ts'
import { Identifier, Reference } from '../shapes/identifier.ts'
import { JsonValueShape } from '../shapes/json.ts'
import { Nothing } from '../shapes/nothing.ts'
import { orNull } from '../shapes/optional.ts'
import { ProjectId, ProjectPath } from '../shapes/project.ts'
import { ListPage } from './collections/collection.ts'

const path = '/v2/{entity}/{project}/scores'

/** A scorer's result for one prediction. */
export const Score = z
  .object({
    score_id: z.string().describe('Id of the score, which is the id of its call'),
    scorer: z.string().describe('Reference to the scorer. Empty without one'),
    value: z.unknown().describe('The verdict'),
    evaluation_run_id: z.string().nullable().describe('Run to which it belongs'),
    wb_user_id: z.string().nullable().describe('User who recorded it'),
  })
  .meta({ id: 'Score' })
export type Score = z.output<typeof Score>

/** Verdicts of scorers on predictions, as a view over calls. */
export const scores = defineResource('Verdicts of scorers on predictions and calls', {
  create: {
    method: 'POST',
    path,
    effect: 'write',
    summary: 'Record a score',
    description: 'Writes a finished call, in a run next to the prediction, and feedback on the prediction.',
    repeat: 'adds',
    params: ProjectPath,
    body: z.object({
      prediction_id: Identifier.describe('Prediction that was scored'),
      scorer: Reference.describe('Reference to the scorer, an object. Not checked to exist'),
      value: JsonValueShape.describe('The verdict; any JSON, up to 1 MiB of text'),
      evaluation_run_id: orNull(Identifier).describe('Run to which it belongs. Null: none, also for a prediction of a run'),
    }),
    output: z.object({ score_id: z.string().describe('Id of the score') }),
  },
  scoreCalls: {
    method: 'POST',
    path: '/calls/score',
    effect: 'write',
    summary: 'Score calls on the server',
    description:
      'Enqueues one job for each call and scorer and returns at once. Each writes a score call, and feedback on the call that it scored. Scorers are of the classes that `evaluateModel` takes. Calls that are not there are skipped. Needs a configured model provider.',
    repeat: 'adds',
    body: z.object({
      project_id: ProjectId,
      call_ids: listOf(Identifier, 1000, tooManyEntries).describe('Calls to score, at most 1000'),
      scorer_refs: listOf(Reference, 10, tooManyEntries).describe('References to scorers, at most 10'),
    }),
    output: Nothing,
  },
  list: {
    method: 'GET',
    path,
    effect: 'read',
    summary: 'List scores',
    description: 'Scores that were created here, one per line, by start; those that SDKs recorded as calls are read by their id.',
    params: ProjectPath,
    query: z.object({
      evaluation_run_id: orNull(Identifier).describe('Only scores of this run. Null: all'),
      ...ListPage.shape,
    }),
    output: Score,
    stream: 'jsonl',
  },
  read: {
    method: 'GET',
    path: `${path}/{score_id}`,
    effect: 'read',
    summary: 'Read a score',
    description: 'Reads any call as a score, also one that an SDK recorded.',
    params: ProjectPath.extend({ score_id: Identifier.describe('Id of the score') }),
    output: Score,
  },
  delete: {
    method: 'DELETE',
    path,
    effect: 'destroy',
    summary: 'Delete scores',
    description: 'Deletes their calls with everything below them. The feedback on the predictions stays.',
    params: ProjectPath,
    query: z.object({ score_ids: commaListOf(1000).describe('Ids of scores, at most 1000') }),
    output: z.object({ num_deleted: z.number().describe('Number of ids given') }),
  },
})
