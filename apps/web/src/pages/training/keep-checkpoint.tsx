import type { Checkpoint } from '@heddle/core-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../app/read-again.ts'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { trainingClient } from './training-queries.ts'

/** Marks a checkpoint as kept, so that it cannot be deleted, or removes the mark. Says who marked it, and when. */
export function KeepCheckpoint({ model, checkpoint: { step, kept_at, kept_by } }: { model: string; checkpoint: Checkpoint }) {
  const queries = useQueryClient()
  const mark = useMutation({
    mutationFn: (kept: boolean) => trainingClient.checkpoints.keep({ model_id: model, step, kept }),
    onSuccess: () => readAgain(queries, ['checkpoints', model]),
  })
  return (
    <>
      <label className="keep-checkpoint">
        <input
          type="checkbox"
          aria-label={`Keep step ${step}`}
          checked={mark.isPending ? mark.variables : kept_at !== null}
          disabled={mark.isPending}
          onChange={({ target }) => mark.mutate(target.checked)}
        />{' '}
        {kept_at !== null && (
          <span>
            by {kept_by}, <Time value={kept_at} />
          </span>
        )}
      </label>
      <Failure error={mark.error} />
    </>
  )
}
