import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TrainedModel } from '@heddle/core-api'
import { useState } from 'react'
import { readAgain } from '../../app/read-again.ts'
import { QueryProblem } from '../../components/query-problem.tsx'
import { trainingClient } from './training-queries.ts'

/** Lists what would go before anything does, and deletes it when that is confirmed. */
export function DeleteCheckpoints({ model, steps, onDeleted }: { model: TrainedModel; steps: readonly number[]; onDeleted: () => void }) {
  const [isAsked, setAsked] = useState(false)
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => trainingClient.checkpoints.delete({ model_id: model.id, steps: [...steps] }),
    onSuccess: async () => {
      setAsked(false)
      onDeleted()
      await readAgain(queries, ['checkpoints', model.id])
    },
  })
  const { data: gone } = remove
  if (steps.length === 0)
    return gone ? (
      <p role="status" className="notice">
        {gone.deleted_count} checkpoints were deleted
        {gone.not_found_steps.length > 0 && `; steps ${gone.not_found_steps.join(', ')} were gone already`}
        {gone.kept_steps.length > 0 && `; steps ${gone.kept_steps.join(', ')} stay, since somebody has marked them as kept`}.
      </p>
    ) : null
  const sorted = steps.toSorted((a, b) => a - b)
  if (!isAsked)
    return (
      <button type="button" onClick={() => setAsked(true)}>
        Delete {steps.length} checkpoints …
      </button>
    )
  return (
    <div className="notice" role="alertdialog" aria-labelledby="delete-title">
      <h3 id="delete-title">
        This would delete {steps.length} checkpoints of {model.name}
      </h3>
      <p>
        Steps {sorted.join(', ')}, with their weights and metrics. Programs that ask for one of them get an error. This cannot be undone.
      </p>
      <p>If a job still uses one of them, the server deletes none.</p>
      <div className="row">
        <button type="button" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete them
        </button>
        <button type="button" autoFocus onClick={() => setAsked(false)}>
          Keep them
        </button>
      </div>
      {remove.error && <QueryProblem error={remove.error} retry={() => remove.mutate()} />}
    </div>
  )
}
