import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field, Input } from '../../ui/field.tsx'

/** The way to a project that does not exist yet: its page waits for the first trace. */
export function NewProject({ open, onClose }: { open: boolean; onClose: () => void }) {
  const formId = useId()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [isRefused, setRefused] = useState(false)

  function goTo(event: FormEvent) {
    event.preventDefault()
    const [entity = '', project = '', ...more] = name.trim().split('/')
    const isName = entity !== '' && project !== '' && more.length === 0
    setRefused(!isName)
    if (isName) void navigate({ to: '/$entity/$project', params: { entity, project } })
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New project"
      footer={
        <DialogActions onCancel={onClose} type="submit" form={formId} disabled={name.trim() === ''}>
          Open
        </DialogActions>
      }
    >
      <form id={formId} onSubmit={goTo} className="pb-4">
        <Field
          label="Project"
          help="A team or person, a slash, and a program. Its first trace creates it."
          {...(isRefused && {
            error: `The name needs one slash with text on both sides, as in my-team/my-agent, got "${name.slice(0, 100)}".`,
          })}
        >
          {(ids) => <Input {...ids} placeholder="my-team/my-agent" value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
      </form>
    </Dialog>
  )
}
