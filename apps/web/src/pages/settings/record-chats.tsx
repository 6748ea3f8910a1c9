import { TextField } from '../../ui/text-field.tsx'
import { FormSelect } from '../../ui/form-select.tsx'
import type { Choice } from '../../ui/select-face.tsx'

/** What is entered about the chats of a new key. */
export interface EnteredRecording {
  of: 'none' | 'conversations' | 'trajectory'
  trajectory: string
  group: string
}

export const noRecording: EnteredRecording = { of: 'none', trajectory: '', group: '' }

const choices: (Choice & { value: EnteredRecording['of'] })[] = [
  { value: 'none', label: 'Not recorded', note: 'Unless a request asks for it' },
  { value: 'conversations', label: 'Record conversations', note: 'Each is a trajectory' },
  { value: 'trajectory', label: 'Record one trajectory', note: 'For one session of an agent' },
]

const isId = (text: string) => /^[\x21-\x7e]{1,200}$/.test(text)

/** Whether a key can be made with it. */
export const isRecordingValid = ({ of, trajectory, group }: EnteredRecording) =>
  of === 'none' || ((group === '' || isId(group)) && (of === 'conversations' || isId(trajectory)))

/** What the server takes; null where nothing is recorded. */
export const toRecording = ({ of, trajectory, group }: EnteredRecording) =>
  of === 'none' ? null : { trajectory_id: of === 'trajectory' ? trajectory : null, group_id: group === '' ? null : group }

const idError = (text: string) =>
  text !== '' && !isId(text) && { error: `An id has 1 to 200 visible ASCII characters, got "${text.slice(0, 20)}".` }

interface RecordChatsProps {
  value: EnteredRecording
  onChange: (value: EnteredRecording) => void
}

/** Whether chats of a key with trained models are recorded as trajectories, and where. */
export function RecordChats({ value, onChange }: RecordChatsProps) {
  return (
    <>
      <FormSelect
        label="Chats with trained models"
        choices={choices}
        value={value.of}
        onChange={(of) => onChange({ ...value, of: of as EnteredRecording['of'] })}
        className="w-full"
      />
      {value.of === 'trajectory' && (
        <TextField
          label="Trajectory"
          help="Its id"
          {...idError(value.trajectory)}
          autoComplete="off"
          value={value.trajectory}
          onChange={(next) => onChange({ ...value, trajectory: next })}
        />
      )}
      {value.of !== 'none' && (
        <TextField
          label="Group"
          optional
          help="Attempts whose rewards are compared"
          {...idError(value.group)}
          autoComplete="off"
          value={value.group}
          onChange={(next) => onChange({ ...value, group: next })}
        />
      )}
    </>
  )
}
