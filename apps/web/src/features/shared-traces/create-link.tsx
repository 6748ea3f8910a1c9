import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { serverUrl } from '../../lib/server/base-path.ts'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { ShownOnce } from '../../ui/texts/shown-once.tsx'
import { readLinksAgain } from './links-query.ts'
import { Select } from '../../ui/select.tsx'
import { Button } from '../../ui/button.tsx'

const choices = [1, 7, 30, 90, 365]

/** Makes a public link to a trace, and shows it once. */
export function CreateLink({ traceId: trace_id }: { traceId: string }) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const [days, setDays] = useState(30)
  const create = useMutation({
    // Not kept in a cache: the link is shown once, and discarded with the dialog.
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
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div>
          <Select
            label="Expires in"
            size="md"
            value={String(days)}
            onChange={(chosen) => setDays(Number(chosen))}
            choices={choices.map((choice) => ({ value: String(choice), label: countText(choice, 'day') }))}
          />
        </div>
        <Button type="submit" size="md" variant="primary" disabled={create.isPending}>
          Create link
        </Button>
      </form>
      <Failure error={create.error} />
      {create.data && (
        <div className="mt-3">
          <ShownOnce secret={`${serverUrl()}/shared#${create.data.token}`} onDone={() => create.reset()}>
            The link to this trace
          </ShownOnce>
        </div>
      )}
    </>
  )
}
