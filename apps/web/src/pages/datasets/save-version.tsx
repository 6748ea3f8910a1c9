import { formatRef } from '@heddle/core-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { explain } from '../../components/query-problem.tsx'
import type { DatasetVersion } from './dataset-versions.ts'
import { countEdits, type RowEdits, toTableUpdates } from './rows/row-edits.ts'

interface Properties {
  version: DatasetVersion
  tableDigest: string
  edits: RowEdits
  onDiscard: () => void
}

/** Publishes the changes as the next version. Rows that nobody has changed are not sent, so they stay exactly as they are stored. */
export function SaveVersion({ version, tableDigest, edits, onDiscard }: Properties) {
  const { entity, project, id } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    async mutationFn() {
      const updates = toTableUpdates(edits)
      const table = { project_id: id, base_digest: tableDigest, updates } as Parameters<typeof client.tables.update>[0]
      const { digest } = await client.tables.update(table)
      const rows = formatRef({ kind: 'table', entity, project, digest, rowDigest: null })
      const obj = { project_id: id, object_id: version.objectId, val: { ...version.value, rows } }
      return client.objects.create({ obj } as Parameters<typeof client.objects.create>[0])
    },
    async onSuccess({ digest }) {
      onDiscard()
      await Promise.all([readAgain(queries, ['dataset-versions', id, version.objectId]), readAgain(queries, ['datasets', id])])
      await navigate({
        to: '/$entity/$project/datasets/$object',
        params: { entity, project, object: version.objectId },
        search: { version: digest },
        ignoreBlocker: true,
      })
    },
  })
  const { changed, removed, added } = edits
  return (
    <section aria-label="Unsaved changes" className="notice">
      <p>
        {countEdits(edits)} unsaved changes: {changed.size} rows changed, {removed.size} removed, {added.length} added.
      </p>
      <div className="row">
        <button type="button" className="primary" disabled={save.isPending} onClick={() => save.mutate()}>
          Save as a new version
        </button>
        <button type="button" disabled={save.isPending} onClick={onDiscard}>
          Discard changes
        </button>
      </div>
      {save.isError && (
        <p role="alert" className="problem">
          Not saved; your changes are still here. {explain(save.error)}
        </p>
      )}
    </section>
  )
}
