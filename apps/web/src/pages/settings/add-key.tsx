import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShownOnce } from '../../ui/texts/shown-once.tsx'
import { SettingsForm } from './settings-form.tsx'
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

/** Makes a key for the project, and shows it once. */
export function AddKey() {
  const { id } = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('writer')
  const [days, setDays] = useState('90')
  const [recording, setRecording] = useState(noRecording)
  const isValid = days.trim() === '' || /^[1-9]\d{0,4}$/.test(days.trim())
  const add = useMutation({
    // Not kept in a cache: the secret is shown once, and discarded with this page.
    gcTime: 0,
    mutationFn: () =>
      client.projectKeys.create({
        project_id: id,
        name: name.trim(),
        role,
        expires_in_days: days.trim() === '' ? null : Number(days),
        recording: toRecording(recording),
      }),
    onSuccess() {
      setName('')
      setRecording(noRecording)
      return readAgain(queries, keysQuery(id).queryKey)
    },
  })
  return (
    <>
      <SettingsForm
        title="New key"
        columns={2}
        sending={add}
        action="Create key"
        isReady={name.trim() !== '' && isValid && isRecordingValid(recording)}
      >
        <TextField label="Name" help="What it is for" maxLength={128} autoComplete="off" value={name} onChange={setName} />
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
      </SettingsForm>
      {add.data && (
        <ShownOnce secret={add.data.secret} onDone={() => add.reset()}>
          The key <strong>{add.data.key.name}</strong>
        </ShownOnce>
      )}
    </>
  )
}
