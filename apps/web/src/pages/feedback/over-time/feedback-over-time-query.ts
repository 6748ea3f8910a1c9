import type { QueryOperation } from '@heddle/core-api'
import { compare, equals, not } from '@heddle/trace-model/query'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import type { TimeRange } from '../../../lib/time/time-range.ts'
import { partsOfRange } from '../../../features/charts/parts-of-range.ts'
import { metricsOf, readValueSeries } from '../../../features/feedback/read-value-series.ts'
import { categoriesOf } from './categories-of.ts'
import { feedbackByType } from './feedback-by-type.ts'

const maxPaths = 8
/** Newest feedback whose texts are counted. */
export const maxCounted = 1_000
/** Types in one answer. */
const maxTypes = 100

/** Counts all feedback of a bucket: stats without a metric have no buckets. */
const countsAlone = [{ json_path: 'value', value_type: 'categorical' as const }]

/**
 * The amount of feedback of each type in a range, and the values of one type. Values of different types are not comparable, so without a type they
 * are omitted.
 */
export const feedbackOverTimeQuery = (
  project_id: string,
  { range, type, timezone }: { range: TimeRange; type: string | undefined; timezone: string },
) =>
  queryOptions({
    queryKey: ['feedback-over-time', project_id, range, type, timezone],
    queryFn: async ({ client: queries, signal }) => {
      const { start, granularity } = await partsOfRange(queries, project_id, range)
      const scope = { project_id, start, feedback_type: type ?? null }
      const paths = type === undefined ? [] : (await client.feedback.payloadSchema(scope, { signal })).paths
      const texts = paths.filter(({ value_type }) => value_type === 'categorical').slice(0, maxPaths)
      const measured = paths.filter(({ value_type }) => value_type !== 'categorical')
      const shown = measured.slice(0, maxPaths)
      const groups = { group_by: 'type' as const, group_limit: maxTypes }
      const metrics = [...countsAlone, ...metricsOf(shown)]
      const [stats, payloads] = await Promise.all([
        client.feedback.stats({ ...scope, granularity, timezone, metrics, ...groups }, { signal }),
        type === undefined || texts.length === 0 ? [] : readPayloads({ project_id, type, start: scope.start }, signal),
      ])
      return {
        given: feedbackByType(stats),
        values: readValueSeries(shown, stats),
        categories: categoriesOf(
          texts.map(({ json_path }) => json_path),
          payloads,
        ),
        left_out: measured.length - shown.length,
      }
    },
    staleTime: 30_000,
  })

/** Payloads of the newest feedback of a type. */
async function readPayloads({ project_id, type, start }: { project_id: string; type: string; start: string }, signal: AbortSignal) {
  const $and: QueryOperation[] = [equals('feedback_type', type), not(compare('$lt', 'created_at', start))]
  const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
  const { result } = await client.feedback.query(
    { project_id, fields: ['payload'], query: { $expr: { $and } }, sort_by, limit: maxCounted },
    { signal },
  )
  return result.map(({ payload }) => payload)
}
