import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { toastUndo } from '../../ui/states/undo-toast.ts'
import { itemQuery, queuesKey } from '../../features/queues/queue-queries.ts'
import { correctionField } from './annotate-queries.ts'
import type { AnnotationField } from './annotation-field.ts'
import { focusField, focusText } from './field-focus.ts'
import type { Answers } from './use-answers.ts'
import { useItemTimes } from './use-item-times.ts'
import type { useOtherItems } from './use-other-items.ts'
import type { StepMessage } from './use-step.ts'

interface Parts {
  queue: { id: string }
  item: { id: string }
  fields: readonly AnnotationField[]
  answers: Answers
  others: ReturnType<typeof useOtherItems>
  say: (said: StepMessage) => void
}

/** Completes, skips and reopens the item for the user. */
export function useReview({ queue, item, fields, answers, others, say }: Parts) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const [openedAt] = useState(Date.now)
  const times = useItemTimes(queue.id)
  const place = { project_id, queue_id: queue.id, item_id: item.id }
  const titleOf = (name: string) =>
    name === correctionField ? 'the correction' : (fields.find((field) => field.name === name)?.title ?? name)

  async function reopen(): Promise<StepMessage> {
    const reopened = await client.annotationQueues.reopenItem(place)
    queries.setQueryData(itemQuery(client, project_id, queue.id, item.id).queryKey, reopened.item)
    void readAgain(queries, queuesKey(project_id))
    return { message: 'Item reopened' }
  }

  async function undoSkip() {
    say(await reopen())
    await others.open(item.id)
  }

  return {
    reopen,
    async complete(): Promise<StepMessage> {
      const refused = answers.firstRefused()
      if (refused) {
        if (refused.field === correctionField) focusText('corrected-output')
        else focusField(refused.field)
        return { problem: `Not completed: what is typed for ${titleOf(refused.field)} is not a value of it (${refused.why}).` }
      }
      if (!(await answers.saver.settle())) {
        answers.saver.retry()
        return { problem: 'Not completed: some answers are not saved. Complete again to retry.' }
      }
      await client.annotationQueues.updateProgress({ ...place, annotation_state: 'completed' })
      times.add(Date.now() - openedAt)
      return others.openNext()
    },
    async skip(): Promise<StepMessage> {
      await client.annotationQueues.updateProgress({ ...place, annotation_state: 'skipped' })
      try {
        return await others.openNext()
      } finally {
        // Offered last: an item reopened by undo while the next one is being opened would be left again.
        toastUndo({ title: 'Item skipped', undo: undoSkip, problem: 'The item was not reopened' })
      }
    },
  }
}
