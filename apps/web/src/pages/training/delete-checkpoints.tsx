import type { Checkpoint, TrainedModel } from '@heddle/core-api/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.tsx'
import { checkpointsQuery, trainingClient } from '../../features/training/training-queries.ts'

interface Properties {
  model: TrainedModel
  /** The newest first. */
  checkpoints: readonly Checkpoint[]
  chosenAtFirst: readonly number[]
  onClose: () => void
}

/** Lists the checkpoints that can be deleted, and deletes the selected ones. The latest one and those marked as kept cannot be deleted. */
export function DeleteDialog({ model, checkpoints, chosenAtFirst, onClose }: Properties) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(chosenAtFirst))
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => trainingClient.checkpoints.delete({ model_id: model.id, steps: [...chosen] }),
    onSuccess: async ({ deleted_count, not_found_steps, kept_steps }) => {
      await readAgain(queries, checkpointsQuery(model.id).queryKey)
      const text = [
        not_found_steps.length > 0 && `Steps ${not_found_steps.join(', ')} were gone already.`,
        kept_steps.length > 0 && `Steps ${kept_steps.join(', ')} are kept.`,
      ].filter((part) => part !== false)
      toast({ title: `${counted(deleted_count)} deleted`, ...(text.length > 0 && { text: text.join(' ') }) })
      onClose()
    },
  })
  const latest = checkpoints[0]?.step
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete checkpoints of ${model.name}?`}
      description="Their weights and metrics are deleted for good, and programs that request them get an error. If a job still uses one of them, none is deleted."
      footer={
        <DialogActions
          onCancel={onClose}
          variant="danger"
          disabled={chosen.size === 0}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Delete {counted(chosen.size)}
        </DialogActions>
      }
    >
      <ul className="flex max-h-60 flex-col overflow-auto rounded-md border border-line px-3 py-1">
        {checkpoints.map(({ step, kept_at }) => (
          <li key={step} className="flex items-center gap-2">
            <Checkbox
              label={`Step ${step}`}
              checked={chosen.has(step)}
              disabled={step === latest || kept_at !== null}
              onChange={(isOn) => setChosen(new Set([...[...chosen].filter((one) => one !== step), ...(isOn ? [step] : [])]))}
            />
            <span className="text-xs text-fg-3">{step === latest ? 'latest' : kept_at === null ? '' : 'kept'}</span>
          </li>
        ))}
      </ul>
      {remove.error && <QueryProblem error={remove.error} retry={() => remove.mutate()} retriesItself={false} />}
    </Dialog>
  )
}

const counted = (count: number) => countText(count, 'checkpoint')
