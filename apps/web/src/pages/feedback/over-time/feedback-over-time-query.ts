import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import { secondsOfPart, startOf, type TimeRange } from '../../../lib/time/time-range.ts'
import { metricsOf, readGivenCounts, readValueSeries } from '../../../features/feedback/read-value-series.ts'

const maxPaths = 8

/** Counts all feedback of a bucket: stats without a metric have no buckets. */
const countsAlone = [{ json_path: 'value', value_type: 'categorical' as const }]

/**
 * The amount of feedback in a range, and the values of one type. Values of different types are not comparable, so without a type they are omitted.
 */
export const feedbackOverTimeQuery = (
  project_id: string,
  { range, type, timezone }: { range: TimeRange; type: string | undefined; timezone: string },
) =>
  queryOptions({
    queryKey: ['feedback-over-time', project_id, range, type, timezone],
    queryFn: async ({ signal }) => {
      const scope = { project_id, start: startOf(range), feedback_type: type ?? null }
      const known = type === undefined ? [] : (await client.feedback.payloadSchema(scope, { signal })).paths
      const paths = known.filter(({ value_type }) => value_type !== 'categorical')
      const shown = paths.slice(0, maxPaths)
      const metrics = [...countsAlone, ...metricsOf(shown)]
      const stats = await client.feedback.stats({ ...scope, granularity: secondsOfPart[range], timezone, metrics }, { signal })
      return { given: readGivenCounts(stats), values: readValueSeries(shown, stats), left_out: paths.length - shown.length }
    },
    staleTime: 30_000,
  })
