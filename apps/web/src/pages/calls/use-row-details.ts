import { queryOptions, useQueries } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { CallRow } from '../../features/calls/call-row.ts'
import type { RowScore } from '../../features/calls/row-score.ts'
import { rowScoresQuery } from './row-scores.ts'
import { silentRows } from './silent-rows.ts'
import type { SilentRows } from '../../features/calls/texts-below/read-texts-below.ts'
import type { RowTexts } from '../../features/calls/texts-below/shown-text.ts'

/** Rows whose details are read together. */
const chunkRows = 100

/**
 * What rows show that is read after them: for those in sight and around them, or for all where they are shown in another order.
 */
export function useRowDetails(project: string, rows: readonly CallRow[], { areTraces, all }: { areTraces: boolean; all: boolean }) {
  const [range, setRange] = useState({ first: 0, last: 0 })
  const onRange = useCallback((first: number, last: number) => {
    const [from, to] = [Math.floor(first / chunkRows), Math.floor(last / chunkRows)]
    setRange((before) => (before.first === from && before.last === to ? before : { first: from, last: to }))
  }, [])
  const chunks = useMemo(
    () =>
      Array.from({ length: all ? Math.ceil(rows.length / chunkRows) : range.last - range.first + 1 }, (_, at) => {
        const start = ((all ? 0 : range.first) + at) * chunkRows
        return rows.slice(start, start + chunkRows)
      }),
    [rows, range, all],
  )
  const texts = useQueries({
    queries: chunks.map((chunk) => textsBelowQuery(project, { rows: silentRows(chunk, areTraces), areTraces })),
    combine: joinTexts,
  })
  const scores = useQueries({
    queries: chunks.map((chunk) =>
      rowScoresQuery(
        project,
        chunk.map(({ id }) => id),
      ),
    ),
    combine: joinScores,
  })
  return {
    texts: texts.read,
    scores: scores.read,
    areTextsLoading: texts.isLoading,
    isLoading: texts.isLoading || scores.isLoading,
    onRange,
  }
}

const textsBelowQuery = (project: string, silent: SilentRows) =>
  queryOptions({
    queryKey: ['texts-below', project, silent.areTraces, silent.rows.map(({ id }) => id)],
    enabled: silent.rows.length > 0,
    queryFn: async ({ signal }) =>
      (await import('../../features/calls/texts-below/read-texts-below.ts')).readTextsBelow(project, silent, signal),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })

interface DetailsResult<Value> {
  data?: ReadonlyMap<string, Value> | undefined
  isLoading: boolean
}

const join = <Value>(results: readonly DetailsResult<Value>[]): { read: ReadonlyMap<string, Value>; isLoading: boolean } => ({
  read: new Map(results.flatMap(({ data }) => [...(data ?? [])])),
  isLoading: results.some(({ isLoading }) => isLoading),
})
const joinTexts = (results: DetailsResult<RowTexts>[]) => join(results)
const joinScores = (results: DetailsResult<readonly RowScore[]>[]) => join(results)
