import type { Feedback } from '@heddle/core-api/types'
import { useMutation, useQuery } from '@tanstack/react-query'
import { equals } from '@heddle/trace-model/query'
import { client, exactClient } from '../../lib/server/client.ts'
import { sessionQuery } from '../../lib/server/session.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { toastUndo } from '../../ui/states/undo-toast.ts'
import { Button } from '../../ui/button.tsx'
import { inputOfFeedback } from './input-of-feedback.ts'

interface Properties {
  item: Feedback
  /** Noun for the removed item, such as `note`. */
  what: string
  /** Called when it is gone, and when it is back. */
  onRemoved: () => void
}

/** Removes feedback of the signed-in user, which can be undone. Renders nothing for feedback of other users. */
export function RemoveButton({ item, what, onRemoved }: Properties) {
  const { id, wb_user_id } = item
  const { id: project_id } = useProject()
  const username = useQuery(sessionQuery).data?.username
  const remove = useMutation({
    mutationFn: () => client.feedback.purge({ project_id, query: { $expr: equals('id', String(id)) } }),
    onSuccess() {
      onRemoved()
      toastUndo({
        title: `${what.charAt(0).toUpperCase()}${what.slice(1)} removed`,
        undo: () => restoreFeedback(project_id, item).then(onRemoved),
        problem: `The ${what} was not restored`,
      })
    },
  })
  if (wb_user_id !== username) return null
  return (
    <>
      <Button variant="ghost" disabled={remove.isPending} onClick={() => remove.mutate()}>
        Remove
      </Button>
      <Failure before="Not removed." error={remove.error} />
    </>
  )
}

/** Gives feedback of the person who is signed in once more after it was removed, with a new id and the present time. */
const restoreFeedback = (project_id: string, removed: Feedback) => exactClient.feedback.create(inputOfFeedback(project_id, removed))
