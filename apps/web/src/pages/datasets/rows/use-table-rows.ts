import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { exactClient as client } from '../../../lib/server/client.ts'
import { useProject } from '../../../lib/use-project.ts'
import { rowsOfPage, rowsQuery } from '../../../features/datasets/dataset-queries.ts'

/** The values of the rows of a table near some indexes, by index; other rows are not read. */
export function useTableRows(tableDigest: string, places: readonly number[]) {
  const { id } = useProject()
  const pages = [...new Set(places.map((place) => Math.floor(Math.max(0, place) / rowsOfPage)))].sort((one, other) => one - other)
  const queries = useQueries({ queries: pages.map((page) => rowsQuery(client, id, tableDigest, page * rowsOfPage)) })
  const data = queries.map((query) => query.data)
  const values = useMemo(() => {
    const found = new Map<number, unknown>()
    for (const [at, rows = []] of data.entries())
      for (const [place, { val }] of rows.entries()) found.set((pages[at] ?? 0) * rowsOfPage + place, val)
    return found
    // New pages, or more of their data.
  }, [tableDigest, pages.join(), data.map((rows) => rows?.length).join()])
  return { values, failed: queries.find(({ error }) => error), isReading: queries.some(({ isPending }) => isPending) }
}
