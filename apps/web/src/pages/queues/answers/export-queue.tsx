import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { type ProjectName, useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { columnsOfCalls, rowOfCall } from '../../calls/selection/row-of-call.ts'
import { appendRows } from '../../datasets/append-rows.ts'
import { itemsQuery, maxItems } from '../queue-queries.ts'
import { answersQuery } from './answers-query.ts'
import { type AnsweredCall, toAnswerRows } from './to-answer-rows.ts'

const callsOfRequest = 500

/** Writes the completed items of a queue into a dataset: each call with what annotators said of it. */
export function ExportQueue({ queue }: { queue: string }) {
  const project = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const write = useMutation({
    mutationFn: async () => {
      const { items, hasMore } = await queries.fetchQuery({
        ...itemsQuery(client, project.id, queue, { annotation_states: ['completed'] }),
        staleTime: 0,
      })
      if (items.length === 0) throw new Error('no item of this queue is completed yet')
      const { answers } = await queries.fetchQuery({ ...answersQuery(client, project.id, queue), staleTime: 0 })
      const calls = await readCalls(
        project,
        items.map(({ call_id }) => call_id),
      )
      const rows = toAnswerRows(calls, answers)
      if (rows.length === 0) throw new Error('the calls of the completed items were deleted')
      return { ...(await appendRows(project, name.trim(), rows)), rows: rows.length, hasMore }
    },
    onSuccess: () => readAgain(queries, ['datasets', project.id]),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    write.mutate()
  }
  return (
    <details>
      <summary>Export to a dataset</summary>
      <form onSubmit={submit}>
        <label htmlFor="export-dataset">Dataset; a name that is not there becomes a new one</label>
        <input id="export-dataset" value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />
        <p className="muted">
          Each completed item is a row: the inputs and the output of its call, annotations, notes, and a corrected output as `expected`.
        </p>
        <button type="submit" disabled={name.trim() === '' || write.isPending}>
          {write.isPending ? 'Exporting …' : 'Export the completed items'}
        </button>
        {write.data && (
          <p role="status">
            {write.data.rows === 1 ? '1 row was' : `${write.data.rows.toLocaleString('en')} rows were`} written
            {write.data.hasMore && ` (of the first ${maxItems.toLocaleString('en')} completed items; there are more)`}:{' '}
            <Link to="/$entity/$project/datasets/$object" params={{ ...project, object: write.data.objectId }}>
              {write.data.objectId}
            </Link>
          </p>
        )}
        <Failure error={write.error} before="Not exported." />
      </form>
    </details>
  )
}

/** In the order of the ids; those that were deleted are missing. */
async function readCalls({ id: project_id }: ProjectName, ids: readonly string[]): Promise<AnsweredCall[]> {
  const found = new Map<string, AnsweredCall>()
  for (let at = 0; at < ids.length; at += callsOfRequest) {
    const filter = { call_ids: ids.slice(at, at + callsOfRequest) }
    for await (const call of client.calls.streamQuery({ project_id, filter, columns: ['id', 'inputs', 'output'] }))
      found.set(call.id, { id: call.id, columns: rowOfCall(call, columnsOfCalls([call])) })
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}
