import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { retentionQuery } from './settings-queries.ts'

/** How long calls are kept. */
export function Retention() {
  const { id } = useProject()
  const query = useQuery(retentionQuery(client, id))
  return (
    <section aria-labelledby="retention">
      <h2 id="retention">Retention</h2>
      <ShowQuery query={query} what="the retention">
        {(days) => <RetentionForm key={days} days={days} />}
      </ShowQuery>
    </section>
  )
}

function RetentionForm({ days }: { days: number | null }) {
  const { id } = useProject()
  const queries = useQueryClient()
  const [text, setText] = useState(days === null ? '' : String(days))
  const isValid = text.trim() === '' || /^[1-9]\d{0,5}$/.test(text.trim())
  const save = useMutation({
    mutationFn: () => client.projects.updateTtlSettings({ project_id: id, retention_days: text.trim() === '' ? null : Number(text) }),
    onSuccess: () => readAgain(queries, ['retention', id]),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <p>
        {days === null ? 'Calls are kept forever.' : `Calls expire ${days} days after their start.`} A change applies to calls that are
        recorded from then on.
      </p>
      <label htmlFor="retention-days">Days until a call expires; empty: never</label>
      <input
        id="retention-days"
        inputMode="numeric"
        aria-invalid={!isValid}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {!isValid && <p className="problem">The days must be a whole number from 1 to 999999, got "{text.slice(0, 20)}".</p>}
      <button type="submit" disabled={!isValid || save.isPending}>
        Save retention
      </button>
      <Failure error={save.error} />
    </form>
  )
}
