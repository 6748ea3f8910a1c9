import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { retentionQuery } from './settings-queries.ts'
import { SettingsSection } from './settings-section.tsx'
import { SettingsForm } from './settings-form.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** How long traces are kept. */
export function Retention() {
  const { id } = useProject()
  const query = useQuery(retentionQuery(client, id))
  return (
    <SettingsSection title="Retention" text="How long traces are kept. A change applies to traces recorded after it.">
      <ShowQuery query={query} what="the retention">
        {(days) => <RetentionForm key={days} days={days} />}
      </ShowQuery>
    </SettingsSection>
  )
}

function RetentionForm({ days }: { days: number | null }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const [text, setText] = useState(days === null ? '' : String(days))
  const isValid = text.trim() === '' || /^[1-9]\d{0,5}$/.test(text.trim())
  const save = useMutation({
    mutationFn: () => client.projects.updateTtlSettings({ project_id: id, retention_days: text.trim() === '' ? null : Number(text) }),
    onSuccess: () => readAgain(queries, retentionQuery(client, id).queryKey),
  })
  return (
    <SettingsForm
      title={days === null ? 'Traces are kept forever' : `Traces expire ${days} days after their start`}
      sending={save}
      action="Save retention"
      isReady={isValid}
    >
      <TextField
        label="Days until a trace expires"
        optional
        help="Empty: never"
        className="max-w-72"
        {...(!isValid && { error: `The days must be a whole number from 1 to 999999, got "${text.slice(0, 20)}".` })}
        inputMode="numeric"
        unit="days"
        value={text}
        onChange={setText}
      />
    </SettingsForm>
  )
}
