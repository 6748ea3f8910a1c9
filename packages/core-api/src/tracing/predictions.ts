import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'
import { commaListOf } from '../shapes/comma-list.ts'
import { Identifier, Reference } from '../shapes/identifier.ts'
import { JsonObjectShape, JsonValueShape } from '../shapes/json.ts'
import { orNull } from '../shapes/optional.ts'
import { ProjectPath } from '../shapes/project.ts'
import { Timestamp } from '../shapes/timestamp.ts'
import { ListPage } from './collections/collection.ts'

const path = '/v2/{entity}/{project}/predictions'
const OnePrediction = ProjectPath.extend({ prediction_id: Identifier.describe('Id of the prediction') })

/** A model's output for one row. */
export const Prediction = z
  .object({
    prediction_id: z.string().describe('Id of the prediction, which is the id of its call'),
    model: z.string().describe('Reference to the model, as it was given. Empty without one'),
    inputs: z.record(z.string(), z.unknown()).describe('The row'),
    output: z.unknown().describe('What the model answered'),
    evaluation_run_id: z.string().nullable().describe('Run to which it belongs'),
    wb_user_id: z.string().nullable().describe('User who recorded it'),
  })
  .meta({ id: 'Prediction' })
export type Prediction = z.output<typeof Prediction>

/** Outputs of models on rows, as a view over calls. */
export const predictions = defineResource('Outputs of models, in evaluation runs or by themselves', {
  create: {
    method: 'POST',
    path,
    effect: 'write',
    summary: 'Record a prediction',
    description:
      'Writes a finished call. In a run, its parent is the call of the trial, which stays open until the prediction is finished.',
    repeat: 'adds',
    params: ProjectPath,
    body: z.object({
      model: Reference.describe('Reference to the model. Not checked'),
      inputs: JsonObjectShape.describe('The row'),
      output: JsonValueShape.describe('What the model answered; any JSON'),
      evaluation_run_id: orNull(Identifier).describe('Run to which it belongs. Null: none'),
      genai_span_ref: orNull(listOf(z.object({ trace_id: Identifier, span_id: Identifier }), 1000)).describe(
        'Spans of the model, at most 1000. Stored with the trial of a run; with `counted` results, their tokens and cost are included in those of the trial',
      ),
      started_at: orNull(Timestamp).describe('When the model started. Only together with `ended_at`. Null: now, and no latency is known'),
      ended_at: orNull(Timestamp).describe('When the model ended, not before `started_at`'),
    }),
    output: z.object({ prediction_id: z.string().describe('Id of the prediction') }),
  },
  list: {
    method: 'GET',
    path,
    effect: 'read',
    summary: 'List predictions',
    description: 'Predictions that were created here, one per line, by start; those that SDKs recorded as calls are read by their id.',
    params: ProjectPath,
    query: z.object({
      evaluation_run_id: orNull(Identifier).describe('Only predictions of this run. Null: all'),
      ...ListPage.shape,
    }),
    output: Prediction,
    stream: 'jsonl',
  },
  read: {
    method: 'GET',
    path: `${path}/{prediction_id}`,
    effect: 'read',
    summary: 'Read a prediction',
    description: 'Reads any call as a prediction, also one that an SDK recorded.',
    params: OnePrediction,
    output: Prediction,
  },
  finish: {
    method: 'POST',
    path: `${path}/{prediction_id}/finish`,
    effect: 'write',
    summary: 'Finish a prediction',
    description:
      'Ends the trial of a prediction in a run with its output and its scores. Finishing it again adds the scores recorded since. Has no effect for a prediction without a run.',
    params: OnePrediction,
    output: z.object({ success: z.boolean() }),
  },
  delete: {
    method: 'DELETE',
    path,
    effect: 'destroy',
    summary: 'Delete predictions',
    description: 'Deletes their calls with everything below them. The trial to which a prediction belongs stays.',
    params: ProjectPath,
    query: z.object({ prediction_ids: commaListOf(1000).describe('Ids of predictions, at most 1000') }),
    output: z.object({ num_deleted: z.number().describe('Number of ids given') }),
  },
})
