import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo } from 'react'
import { exactClient as client } from '../../../lib/server/client.ts'
import { useProject } from '../../../lib/use-project.ts'
import { comparedRowsQuery } from '../../../features/datasets/dataset-queries.ts'
import { findRows, textOfRow } from './find-rows.ts'
import type { RowEdits } from './row-edits.ts'

interface RowsSearch {
  tableDigest: string
  count: number
  edits: RowEdits
  /** Undefined: nothing is searched. */
  text: string | undefined
}

/** Searches the first rows of a table here, since the server has no search in tables. `places` are undefined until they are read. */
export function useFoundRows({ tableDigest, count, edits, text }: RowsSearch) {
  const { id } = useProject()
  const wanted = useDeferredValue(text)
  const isSearching = text !== undefined
  const query = useQuery({ ...comparedRowsQuery(client, id, tableDigest), enabled: isSearching && count > 0 })
  const { rows, hasMore = false } = count === 0 ? { rows: [] } : (query.data ?? {})
  const texts = useMemo(() => (isSearching ? rows?.map(({ val }) => textOfRow(val)) : undefined), [rows, isSearching])
  const places = useMemo(
    () => (texts && wanted !== undefined ? findRows(texts, edits, count, wanted) : undefined),
    [texts, edits, count, wanted],
  )
  return { places, error: query.error, refetch: () => void query.refetch(), searched: hasMore ? rows?.length : undefined }
}
