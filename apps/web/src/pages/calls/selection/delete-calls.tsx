import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'

interface Properties {
  ids: readonly string[]
  onKeep: () => void
  onDeleted: () => void
}

/** Says what would be deleted, and deletes it when that is confirmed. */
export function DeleteCalls({ ids, onKeep, onDeleted }: Properties) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.calls.delete({ project_id, call_ids: [...ids] }),
    async onSuccess() {
      onDeleted()
      await queries.invalidateQueries()
    },
  })
  return (
    <div role="alertdialog" aria-labelledby="delete-calls">
      <p id="delete-calls">
        This would delete {ids.length === 1 ? 'this call' : `these ${ids.length} calls`} and every call below{' '}
        {ids.length === 1 ? 'it' : 'them'}. It cannot be undone.
      </p>
      <div className="row">
        <button type="button" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete {ids.length === 1 ? 'it' : 'them'}
        </button>
        <button type="button" autoFocus onClick={onKeep}>
          Keep {ids.length === 1 ? 'it' : 'them'}
        </button>
      </div>
      <Failure error={remove.error} before="Nothing was deleted." />
    </div>
  )
}
