import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { serverUrl } from '../../app/base-path.ts'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { readLinksAgain } from './links-query.ts'

const choices = [1, 7, 30, 90, 365]

/** Makes a public link to a trace, and shows it once. */
export function CreateLink({ traceId: trace_id }: { traceId: string }) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const [days, setDays] = useState(30)
  const create = useMutation({
    // What is made is not kept in a cache: the link is shown once, and gone with the dialog.
    gcTime: 0,
    mutationFn: () => client.sharedTraces.create({ project_id, trace_id, expires_in_days: days }),
    onSuccess: () => readLinksAgain(queries, project_id),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate()
  }
  return (
    <>
      <form onSubmit={submit} className="row">
        <label htmlFor="link-days">The link expires after</label>
        <select id="link-days" value={days} onChange={({ target }) => setDays(Number(target.value))}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice === 1 ? '1 day' : `${choice} days`}
            </option>
          ))}
        </select>
        <button type="submit" className="primary" disabled={create.isPending}>
          Create link
        </button>
      </form>
      <Failure error={create.error} />
      {create.data && (
        <ShownOnce secret={`${serverUrl()}/shared#${create.data.token}`} onDone={() => create.reset()}>
          The link to this trace
        </ShownOnce>
      )}
    </>
  )
}
