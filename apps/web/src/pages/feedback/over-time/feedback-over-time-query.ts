import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { secondsOfPart, startOf, type TimeRange } from '../../../app/time-range.ts'
import { metricsOf, readGivenCounts, readValueSeries } from './read-value-series.ts'

const maxPaths = 8

/** Counts all feedback of a bucket: stats without a metric have no buckets. */
const countsAlone = [{ json_path: 'value', value_type: 'categorical' as const }]

/**
 * How much feedback a range has, and what the values of one type were. Values of different types are not comparable, so without a type
 * they are left out.
 */
export const feedbackOverTimeQuery = (project_id: string, range: TimeRange, type: string | undefined) =>
  queryOptions({
    queryKey: ['feedback-over-time', project_id, range, type],
    queryFn: async ({ signal }) => {
      const scope = { project_id, start: startOf(range), feedback_type: type ?? null }
      const known = type === undefined ? [] : (await client.feedback.payloadSchema(scope, { signal })).paths
      const paths = known.filter(({ value_type }) => value_type !== 'categorical')
      const shown = paths.slice(0, maxPaths)
      const metrics = [...countsAlone, ...metricsOf(shown)]
      const stats = await client.feedback.stats({ ...scope, granularity: secondsOfPart(range), metrics }, { signal })
      return { given: readGivenCounts(stats), values: readValueSeries(shown, stats), left_out: paths.length - shown.length }
    },
    staleTime: 30_000,
  })
