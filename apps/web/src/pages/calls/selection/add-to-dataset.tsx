import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { type ProjectName, useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { appendRows } from '../../datasets/append-rows.ts'
import { datasetsQuery } from '../../datasets/dataset-queries.ts'
import { rowOfCall } from './row-of-call.ts'

/** Adds calls to a dataset as rows, in a new version. */
export function AddToDataset({ ids }: { ids: readonly string[] }) {
  const project = useProject()
  const queries = useQueryClient()
  const known = useQuery(datasetsQuery(client, project.id))
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: () => addCalls(project, ids, name.trim()),
    onSuccess: () => readAgain(queries, ['datasets', project.id]),
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate()
  }
  return (
    <form className="fields" onSubmit={submit}>
      <label htmlFor="selected-dataset">Dataset; a name that is not there becomes a new one</label>
      <input id="selected-dataset" list="selected-datasets" maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
      <datalist id="selected-datasets">
        {known.data?.datasets.map(({ objectId }) => (
          <option key={objectId} value={objectId} />
        ))}
      </datalist>
      <p className="muted">Each call is a row: a column for each of its inputs, and its output.</p>
      <button type="submit" className="primary" disabled={name.trim() === '' || add.isPending}>
        Add the rows
      </button>
      {add.data && (
        <p role="status">
          {add.data.rows === 1 ? '1 row was' : `${add.data.rows} rows were`} added
          {add.data.isNew ? ' to a new dataset' : ' in a new version'}:{' '}
          <Link to="/$entity/$project/datasets/$object" params={{ ...project, object: add.data.objectId }}>
            {add.data.objectId}
          </Link>
        </p>
      )}
      <Failure error={add.error} before="No row was added." />
    </form>
  )
}

async function addCalls(project: ProjectName, ids: readonly string[], name: string) {
  const columns = ['id', 'inputs', 'output']
  const rows = new Map<string, Record<string, unknown>>()
  for await (const call of client.calls.streamQuery({ project_id: project.id, filter: { call_ids: [...ids] }, columns }))
    rows.set(call.id, rowOfCall(call))
  const inOrder = ids.map((id) => rows.get(id)).filter((row) => row !== undefined)
  if (inOrder.length === 0) throw new Error('The calls were not found; they may have been deleted.')
  return { ...(await appendRows(project, name, inOrder)), rows: inOrder.length }
}
