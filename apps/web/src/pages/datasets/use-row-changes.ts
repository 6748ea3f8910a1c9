import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { exactClient as client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { comparedRowsQuery } from '../../features/datasets/dataset-queries.ts'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'
import { rowChanges } from './rows/row-changes.ts'

/** The differences of a version from the previous one. Undefined until both are read, and if they are not requested. */
export function useRowChanges(shown: DatasetVersion, before: DatasetVersion | undefined, isWanted: boolean) {
  const { id } = useProject()
  const enabled = isWanted && before?.tableDigest !== undefined && shown.tableDigest !== undefined
  const older = useQuery({ ...comparedRowsQuery(client, id, before?.tableDigest ?? ''), enabled })
  const newer = useQuery({ ...comparedRowsQuery(client, id, shown.tableDigest ?? ''), enabled })
  const changes = useMemo(
    () => (older.data && newer.data ? rowChanges(older.data.rows, newer.data.rows) : undefined),
    [older.data, newer.data],
  )
  return { changes, error: older.error ?? newer.error, isReading: enabled && changes === undefined }
}
