import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Failure } from '../../ui/states/failure.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FormSelect } from '../../ui/form-select.tsx'
import type { Choice } from '../../ui/select-face.tsx'
import { keysQuery } from './keys-queries.ts'
import { isRecordingValid, noRecording, RecordChats, toRecording } from './record-chats.tsx'

type Role = 'writer' | 'ingest' | 'reader' | 'admin'
const roles: (Choice & { value: Role })[] = [
  { value: 'writer', label: 'Writer', note: 'Reads and writes' },
  { value: 'ingest', label: 'Ingest', note: 'Only sends' },
  { value: 'reader', label: 'Reader', note: 'Only reads' },
  { value: 'admin', label: 'Admin', note: 'Also deletes and manages keys' },
]

export type CreatedKey = Awaited<ReturnType<typeof client.projectKeys.create>>

interface Properties {
  open: boolean
  onClose: () => void
  /** Its secret cannot be read again. */
  onCreated: (created: CreatedKey) => void
}

/** Creates a key for the project. */
export function NewKey({ open, onClose, onCreated }: Properties) {
  const { id } = useProject()
  const queries = useQueryClient()
  const first = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('writer')
  const [days, setDays] = useState('90')
  const [recording, setRecording] = useState(noRecording)
  const isValid = days.trim() === '' || /^[1-9]\d{0,4}$/.test(days.trim())
  const create = useMutation({
    // The answer has the secret, so it is not kept in a cache.
    gcTime: 0,
    mutationFn: () =>
      client.projectKeys.create({
        project_id: id,
        name: name.trim(),
        role,
        expires_in_days: days.trim() === '' ? null : Number(days),
        recording: toRecording(recording),
      }),
    onSuccess(created) {
      create.reset()
      setName('')
      setRecording(noRecording)
      onCreated(created)
      onClose()
      return readAgain(queries, keysQuery(id).queryKey)
    },
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New key"
      description="The key is shown once."
      initialFocus={first}
      action="Create key"
      isReady={name.trim() !== '' && isValid && isRecordingValid(recording)}
      isSending={create.isPending}
      onSubmit={() => create.mutate()}
    >
      <TextField label="Name" help="What it is for" ref={first} maxLength={128} autoComplete="off" value={name} onChange={setName} />
      <FormSelect label="Role" choices={roles} value={role} onChange={(value) => setRole(value as Role)} className="w-full" />
      <TextField
        label="Expires in"
        optional
        help="Empty: with your own key, or never"
        {...(!isValid && { error: `The days must be a whole number from 1 to 36500, got "${days.slice(0, 20)}".` })}
        inputMode="numeric"
        unit="days"
        value={days}
        onChange={setDays}
      />
      <RecordChats value={recording} onChange={setRecording} />
      <Failure error={create.error} />
    </FormDialog>
  )
}
