import { type FormEvent, useId, useRef, useState } from 'react'
import { Failure } from '../../../ui/states/failure.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions } from '../../../ui/dialog-actions.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { maxNameLength } from './saved-view.ts'

interface Properties {
  isSaving: boolean
  error: unknown
  /** False where it was not saved. */
  onSave: (name: string) => Promise<boolean>
  onClose: () => void
}

/** Dialog for the name of a view. It remains open if the view was not saved. */
export function SaveViewDialog({ isSaving, error, onSave, onClose }: Properties) {
  const form = useId()
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  function save(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '' || isSaving) return
    onSave(name.trim()).then(
      (isSaved) => isSaved && onClose(),
      () => undefined,
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Save view"
      description="Everyone in this project sees it."
      initialFocus={input}
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} loading={isSaving} disabled={name.trim() === ''}>
          Save
        </DialogActions>
      }
    >
      <form id={form} onSubmit={save}>
        <Field label="View name">
          {(ids) => <Input {...ids} ref={input} maxLength={maxNameLength} value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Failure error={error} before="The view was not saved." />
      </form>
    </Dialog>
  )
}
