import type { MeasuredRun } from '@heddle/evaluations'
import { queryOptions } from '@tanstack/react-query'
import { computeIntervalsInWorker } from './compute-intervals-in-worker.ts'
import type { MeasuredColumn } from './measured-columns.ts'

interface IntervalsInput {
  ids: readonly string[]
  /** In the order of the ids. */
  runs: readonly MeasuredRun[]
  names: readonly string[]
  /** When the rows were read: those of another time have other intervals. */
  readAt: number
  /** More rows are on their way, so that intervals of these would be of no use. */
  isReading: boolean
  /** Which rows these are, where not all. */
  filter?: string | undefined
}

/** The measures of runs by their names, each in all runs. A measure is in it as soon as its intervals are computed. */
export const columnsQuery = ({ ids, runs, names, readAt, isReading, filter = '' }: IntervalsInput) => {
  const queryKey = ['measured-columns', ids, filter, readAt]
  return queryOptions({
    queryKey,
    enabled: !isReading && names.length > 0,
    queryFn: async ({ signal, client: queries }) => {
      const columns = new Map<string, MeasuredColumn[]>()
      for await (const [name, measured] of computeIntervalsInWorker(runs, names, signal)) {
        columns.set(name, measured)
        queries.setQueryData(queryKey, new Map(columns))
      }
      return columns
    },
    structuralSharing: false,
    staleTime: Infinity,
    // Intervals of an active run are kept until there are new ones.
    placeholderData: (before: Map<string, MeasuredColumn[]> | undefined, query) =>
      String(query?.queryKey[1]) === String(ids) && query?.queryKey[2] === filter ? before : undefined,
  })
}
