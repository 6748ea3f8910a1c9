import { dataCountsText } from '@heddle/trace-model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { newId } from '../../lib/new-id.ts'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Radios } from '../../ui/radios.tsx'
import { SettingsForm } from './settings-form.tsx'
import { dataDeletionsQuery } from './data-deletions-query.ts'

const choices = [
  { value: 'user', label: 'All data of a user' },
  { value: 'project', label: 'All data of the project' },
]

/** Counts what a selection covers, asks, and starts to delete it. */
export function StartDataDeletion() {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const [kind, setKind] = useState('user')
  const [userId, setUserId] = useState('')
  const user_id = userId.trim()
  const start = useMutation({
    async mutationFn() {
      const selection = kind === 'user' ? { kind: 'user' as const, user_id } : { kind: 'project' as const }
      const request = { project_id, id: newId(), selection }
      const { found } = await client.dataDeletions.start({ ...request, dry_run: true })
      const whose = kind === 'user' ? `the user ${user_id}` : project_id
      const counted = found === null ? '' : ` ${dataCountsText(found) || 'No records'} found.`
      const text = `Delete all data of ${whose}?${counted} This cannot be undone.`
      if (!(await confirm({ text, confirm: 'Delete data' }))) return
      await client.dataDeletions.start(request)
      setUserId('')
      await readAgain(queries, dataDeletionsQuery(project_id).queryKey)
    },
  })
  return (
    <SettingsForm title="New deletion" sending={start} action="Delete data…" isDanger isReady={kind !== 'user' || user_id !== ''}>
      <fieldset className="max-w-105">
        <legend className="mb-1 text-xs font-medium text-fg-2">Delete</legend>
        <Radios choices={choices} value={kind} onChange={setKind} />
      </fieldset>
      {kind === 'user' && (
        <TextField
          label="User ID"
          help="Exactly as in wb_user_id, user_id, user.id, enduser.id or langfuse.user.id. Every trace that names the user is deleted."
          className="max-w-105"
          autoComplete="off"
          maxLength={1_024}
          value={userId}
          onChange={setUserId}
        />
      )}
    </SettingsForm>
  )
}
