import { formatRef } from '@heddle/core-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { exactClient as client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { datasetsQuery, datasetVersionsQuery } from '../../features/datasets/dataset-queries.ts'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'
import { type RowEdits, toTableUpdates } from './rows/row-edits.ts'

/** Publishes changes of rows as the next version, and opens it. Unchanged rows are not sent, so they remain exactly as stored. */
export function useSaveVersion(version: DatasetVersion, edits: RowEdits, onSaved: () => void) {
  const { entity, project, id } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    async mutationFn() {
      const updates = toTableUpdates(edits)
      const table = { project_id: id, base_digest: version.tableDigest, updates } as Parameters<typeof client.tables.update>[0]
      const { digest } = await client.tables.update(table)
      const rows = formatRef({ kind: 'table', entity, project, digest, rowDigest: null })
      const obj = { project_id: id, object_id: version.objectId, val: { ...version.value, rows } }
      return client.objects.create({ obj } as Parameters<typeof client.objects.create>[0])
    },
    async onSuccess({ digest }) {
      onSaved()
      const changed = [datasetVersionsQuery(client, id, version.objectId), datasetsQuery(client, id)]
      await Promise.all(changed.map(({ queryKey }) => readAgain(queries, queryKey)))
      await navigate({
        to: '/$entity/$project/datasets/$object',
        params: { entity, project, object: version.objectId },
        search: { version: digest },
        ignoreBlocker: true,
      })
    },
  })
}
