import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { explain } from '../../ui/states/query-problem.tsx'
import { hasTracesQuery } from './home-queries.ts'

/** The way to a project that does not exist yet: its page waits for the first trace. A name that the server refuses is explained. */
export function NewProject({ open, onClose }: { open: boolean; onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const opening = useMutation({
    mutationFn: async () => {
      const [entity, project] = halvesOf(name.trim())
      await queries.fetchQuery(hasTracesQuery(`${entity}/${project}`))
      await navigate({ to: '/$entity/$project', params: { entity, project } })
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New project"
      initialFocus={input}
      action="Open"
      isReady={name.trim() !== ''}
      isSending={opening.isPending}
      onSubmit={() => opening.mutate()}
      className="pb-4"
    >
      <TextField
        label="Project"
        help="A team or person, a slash, and a program. Its first trace creates it."
        {...(opening.error && { error: explain(opening.error) })}
        ref={input}
        placeholder="my-team/my-agent"
        value={name}
        onChange={(next) => {
          opening.reset()
          setName(next)
        }}
      />
    </FormDialog>
  )
}

/** @throws RangeError for what has not one slash with a text on each side, which no address of a page can name */
function halvesOf(name: string): [entity: string, project: string] {
  const [entity, project, ...more] = name.split('/')
  if (!entity || !project || more.length > 0)
    throw new RangeError(`The name needs one slash with text on both sides, as in my-team/my-agent, got "${name.slice(0, 100)}".`)
  return [entity, project]
}
