import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import { useProject } from '../../../lib/use-project.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/states/failure.tsx'
import { PartsProblem, PartsProgress } from '../../../features/calls/parts/parts-progress.tsx'
import { useParts } from '../../../features/calls/parts/use-parts.ts'

interface Properties {
  ids: readonly string[]
  onKeep: () => void
  /** Called with how many of them, from the first, are deleted. */
  onDeleted: (count: number) => void
}

/** Describes the deletion, and deletes after confirmation. */
export function DeleteCalls({ ids, onKeep, onDeleted }: Properties) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const parts = useParts()
  const remove = useMutation({
    mutationFn: async () => ({
      all: ids.length,
      outcome: await parts.run(ids, (part) => client.calls.delete({ project_id, call_ids: [...part] })),
    }),
    async onSuccess({ outcome: { done } }) {
      if (done === 0) return
      onDeleted(done)
      await queries.invalidateQueries()
    },
  })
  const what = ids.length === 1 ? 'this call' : `${ids.length.toLocaleString('en')} calls`
  return (
    <ConfirmDialog
      open
      danger
      onClose={remove.isPending ? parts.stop : onKeep}
      cancel={remove.isPending ? 'Stop' : undefined}
      onConfirm={() => {
        if (!remove.isPending) remove.mutate()
      }}
      title={`Delete ${what}?`}
      description="Every call below goes with it. This cannot be undone."
      action={ids.length === 1 ? 'Delete call' : `Delete ${what}`}
    >
      {remove.isPending && <PartsProgress label="Deleted calls" done={parts.done} all={ids.length} />}
      {remove.data && <PartsProblem {...remove.data} verb="deleted" />}
      <Failure error={remove.error} before="Nothing was deleted." />
    </ConfirmDialog>
  )
}
