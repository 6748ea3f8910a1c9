import { z } from 'zod'
import { defineResource } from '../../operation.ts'
import { listOf, tooLargeBatch } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { Nothing } from '../../shapes/nothing.ts'
import { ProjectId } from '../../shapes/project.ts'
import { PurgeQuery } from '../../shapes/query-expression.ts'
import { FeedbackAggregate, FeedbackAggregateAnswer } from './feedback-aggregate.ts'
import { FeedbackQuery } from './feedback-query.ts'
import { CreatedFeedback, Feedback, FeedbackInput } from './feedback-records.ts'
import { FeedbackPayloadSchema, FeedbackPayloadSchemaAnswer, FeedbackStats, FeedbackStatsAnswer } from './feedback-stats.ts'

/** Reactions, notes, annotations and scores on calls and objects. */
export const feedback = defineResource('Reactions, notes, annotations and scores of calls and objects', {
  create: {
    method: 'POST',
    path: '/feedback/create',
    effect: 'write',
    repeat: { idAt: ['id'] },
    summary: 'Add feedback to a call or an object',
    body: FeedbackInput,
    output: CreatedFeedback,
  },
  createBatch: {
    method: 'POST',
    path: '/feedback/batch/create',
    effect: 'write',
    repeat: { idAt: ['batch', '*', 'id'] },
    summary: 'Add feedback in a batch',
    description: 'All items are stored or none.',
    body: z.object({
      batch: listOf(FeedbackInput, 10_000, tooLargeBatch).describe('The feedback to add'),
    }),
    output: z.object({ res: z.array(CreatedFeedback).describe('The stored items, in the order of the batch') }),
  },
  query: {
    method: 'POST',
    path: '/feedback/query',
    effect: 'read',
    summary: 'Find feedback',
    body: FeedbackQuery,
    output: z.object({
      result: z.array(Feedback).describe('The feedback, in the requested order'),
      total_count: z.number().describe('Matching feedback, whatever the limit and the offset'),
    }),
  },
  purge: {
    method: 'POST',
    path: '/feedback/purge',
    effect: 'destroy',
    summary: 'Delete feedback permanently',
    description:
      'Unknown ids are ignored. However many there are, no operation finds the feedback once this is answered. Above 10,000 ids it is removed from the store behind, as `projects.queryDeletions` shows.',
    body: z.object({
      project_id: ProjectId,
      query: PurgeQuery.describe('`$eq` on `id`, `$in` on `id` with at most 500,000 ids, or `$or` of `$eq`, and nothing else'),
    }),
    output: Nothing,
  },
  replace: {
    method: 'POST',
    path: '/feedback/replace',
    effect: 'write',
    repeat: { idAt: ['id'] },
    summary: 'Replace feedback',
    description:
      'Deletes the old feedback and stores the new one atomically, with a new id. If the new one is invalid, the old one is kept.',
    body: FeedbackInput.extend({ feedback_id: Identifier.describe('Id of the feedback to delete. An unknown one is ignored') }),
    output: CreatedFeedback,
  },
  stats: {
    method: 'POST',
    path: '/feedback/stats',
    effect: 'read',
    summary: 'Compute metrics of payload values over time',
    body: FeedbackStats,
    output: FeedbackStatsAnswer,
  },
  payloadSchema: {
    method: 'POST',
    path: '/feedback/payload_schema',
    effect: 'read',
    summary: 'List the paths found in payloads',
    body: FeedbackPayloadSchema,
    output: FeedbackPayloadSchemaAnswer,
  },
  aggregate: {
    method: 'POST',
    path: '/feedback/aggregate',
    effect: 'read',
    summary: 'Aggregate tags and ratings',
    description: 'At most 256 buckets. Ranges above 31 days are aggregated into one bucket.',
    body: FeedbackAggregate,
    output: FeedbackAggregateAnswer,
  },
})
