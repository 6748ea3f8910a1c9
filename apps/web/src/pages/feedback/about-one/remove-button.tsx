import type { Feedback } from '@heddle/core-api'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { sessionQuery } from '../../../app/session.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'

interface Properties {
  item: Feedback
  /** What is removed, in words, such as `note`. */
  what: string
  onRemoved: () => void
}

/** Removes feedback of the person who is signed in. Nothing for that of others. */
export function RemoveButton({ item: { id, wb_user_id }, what, onRemoved }: Properties) {
  const { id: project_id } = useProject()
  const username = useQuery(sessionQuery).data?.username
  const remove = useMutation({
    mutationFn: () => client.feedback.purge({ project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: String(id) }] } } }),
    onSuccess: onRemoved,
  })
  if (wb_user_id !== username) return null
  return (
    <>
      <button
        type="button"
        className="small"
        disabled={remove.isPending}
        onClick={() => window.confirm(`Remove this ${what} for good?`) && remove.mutate()}
      >
        Remove
      </button>
      <Failure before="Not removed." error={remove.error} />
    </>
  )
}
