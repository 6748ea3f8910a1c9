import { useMutation, useQueryClient } from '@tanstack/react-query'
import { readAgain } from '../../lib/server/read-again.ts'
import { toast } from '../../ui/toast.tsx'
import { checkpointsQuery, trainingClient } from '../../features/training/training-queries.ts'

/** Marks a checkpoint as kept, so that it cannot be deleted, or removes the mark; either can be undone. */
export function useKeepCheckpoint(model: string) {
  const queries = useQueryClient()
  const keep = useMutation({
    mutationFn: ({ step, kept }: { step: number; kept: boolean }) => trainingClient.checkpoints.keep({ model_id: model, step, kept }),
    onSuccess: async (_, { step, kept }) => {
      await readAgain(queries, checkpointsQuery(model).queryKey)
      toast({
        title: kept ? `Step ${step} is kept` : `Step ${step} is no longer kept`,
        action: { label: 'Undo', run: () => keep.mutate({ step, kept: !kept }) },
      })
    },
  })
  return keep
}
