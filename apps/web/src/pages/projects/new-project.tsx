import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useRef, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { explain } from '../../ui/states/query-problem.tsx'
import { hasTracesQuery } from './home-queries.ts'

/** The way to a project that does not exist yet: its page waits for the first trace. A name that the server refuses is explained. */
export function NewProject({ open, onClose }: { open: boolean; onClose: () => void }) {
  const formId = useId()
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

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!opening.isPending) opening.mutate()
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New project"
      initialFocus={input}
      footer={
        <DialogActions onCancel={onClose} type="submit" form={formId} disabled={name.trim() === ''} loading={opening.isPending}>
          Open
        </DialogActions>
      }
    >
      <form id={formId} onSubmit={submit} className="pb-4">
        <Field
          label="Project"
          help="A team or person, a slash, and a program. Its first trace creates it."
          {...(opening.error && { error: explain(opening.error) })}
        >
          {(ids) => (
            <Input
              {...ids}
              ref={input}
              placeholder="my-team/my-agent"
              value={name}
              onChange={({ target }) => {
                opening.reset()
                setName(target.value)
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}

/** @throws RangeError for what has not one slash with a text on each side, which no address of a page can name */
function halvesOf(name: string): [entity: string, project: string] {
  const [entity, project, ...more] = name.split('/')
  if (!entity || !project || more.length > 0)
    throw new RangeError(`The name needs one slash with text on both sides, as in my-team/my-agent, got "${name.slice(0, 100)}".`)
  return [entity, project]
}
