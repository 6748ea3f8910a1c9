import { formatMention, type QueryExpression, type QueryOperation } from '@heddle/core-api'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { compare, contains, equals, not } from '@heddle/trace-model/query'
import { client, exactClient } from '../../lib/server/client.ts'
import { noteType } from '../../features/queues/answer-types.ts'
import type { FeedbackSearch } from './feedback-search.ts'
import { type FeedbackRow, toFeedbackRow } from './to-feedback-row.ts'

const pageSize = 100
const newestFirst = [
  { field: 'created_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
]
const fields = ['id', 'weave_ref', 'creator', 'wb_user_id', 'created_at', 'feedback_type', 'payload']

/** Which feedback is read. */
export type FeedbackSelection = Omit<FeedbackSearch, 'mentions'> & {
  /** Name of a user: only notes that mention them. */
  mentioned?: string | undefined
}

/** Feedback in pages, the newest first. Each page follows the last row of the one before. */
export function feedbackQuery(project_id: string, search: FeedbackSelection) {
  return infiniteQueryOptions({
    queryKey: ['feedback', project_id, ...keyOf(search)],
    initialPageParam: undefined as FeedbackRow | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = toExpression(search, pageParam)
      const page = { project_id, fields, ...(query && { query }), sort_by: newestFirst, limit: pageSize }
      const { result } = await exactClient.feedback.query(page, { signal })
      return result.map(toFeedbackRow)
    },
    getNextPageParam: (rows): FeedbackRow | undefined => (rows.length < pageSize ? undefined : rows.at(-1)),
  })
}

/** How much feedback is selected. */
export const feedbackCountQuery = (project_id: string, search: FeedbackSelection) =>
  queryOptions({
    queryKey: ['feedback-count', project_id, ...keyOf(search)],
    queryFn: async ({ signal }) => {
      const query = toExpression(search, undefined)
      const { total_count } = await client.feedback.query({ project_id, fields: ['id'], ...(query && { query }), limit: 1 }, { signal })
      return total_count
    },
  })

const keyOf = ({ type, author, mentioned, from, to }: FeedbackSelection) => [type, author, mentioned, from, to]

const mentions = (name: string) => contains('payload.note', formatMention(name), { exactCase: true })

function toExpression(
  { type, author, mentioned, from, to }: FeedbackSelection,
  after: FeedbackRow | undefined,
): QueryExpression | undefined {
  const before = (field: string, value: string) => compare('$lt', field, value)
  const conditions: QueryOperation[] = [
    ...(type === undefined ? [] : [equals('feedback_type', type)]),
    ...(author === undefined ? [] : [equals('wb_user_id', author)]),
    ...(mentioned === undefined ? [] : [equals('feedback_type', noteType), mentions(mentioned)]),
    ...(from === undefined ? [] : [not(before('created_at', from))]),
    ...(to === undefined ? [] : [before('created_at', to)]),
    ...(after === undefined
      ? []
      : [{ $or: [before('created_at', after.createdAt), { $and: [equals('created_at', after.createdAt), before('id', after.id)] }] }]),
  ]
  return conditions.length === 0 ? undefined : { $expr: { $and: conditions } }
}
