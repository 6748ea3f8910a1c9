import { useRef, useState } from 'react'
import { Failure } from '../../../ui/states/failure.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
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
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  function save() {
    onSave(name.trim()).then(
      (isSaved) => isSaved && onClose(),
      () => undefined,
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Save view"
      description="Everyone in this project sees it."
      initialFocus={input}
      action="Save"
      isReady={name.trim() !== ''}
      isSending={isSaving}
      onSubmit={save}
      className=""
    >
      <TextField label="View name" ref={input} maxLength={maxNameLength} value={name} onChange={setName} />
      <Failure error={error} before="The view was not saved." />
    </FormDialog>
  )
}
