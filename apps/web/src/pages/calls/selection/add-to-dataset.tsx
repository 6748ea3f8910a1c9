import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { ShowQuery } from '../../../components/show-query.tsx'
import { appendRows } from '../../datasets/append-rows.ts'
import { datasetsQuery } from '../../datasets/dataset-queries.ts'
import { ChooseColumns } from './choose-columns.tsx'
import { columnsOfCalls, type DatasetColumn, maxColumns, repeatedName, rowOfCall } from './row-of-call.ts'
import { payloadsQuery, type PayloadsOfCall } from './payloads-query.ts'

/** Adds calls to a dataset as rows, in a new version. */
export function AddToDataset({ ids }: { ids: readonly string[] }) {
  const { id: project } = useProject()
  return (
    <ShowQuery query={useQuery(payloadsQuery(project, ids))} what="the calls">
      {(calls) => (calls.length === 0 ? <NoCalls /> : <DatasetForm key={ids.join(' ')} calls={calls} />)}
    </ShowQuery>
  )
}

const NoCalls = () => <p className="problem">The calls were not found; they may have been deleted.</p>

function DatasetForm({ calls }: { calls: readonly PayloadsOfCall[] }) {
  const project = useProject()
  const queries = useQueryClient()
  const known = useQuery(datasetsQuery(client, project.id))
  const [name, setName] = useState('')
  const [columns, setColumns] = useState<readonly DatasetColumn[]>(() => columnsOfCalls(calls))
  const repeated = repeatedName(columns)
  const hasColumns = columns.some((column) => column.name.trim() !== '')
  const add = useMutation({
    mutationFn: async () => {
      const rows = calls.map((call) => rowOfCall(call, columns.slice(0, maxColumns)))
      return { ...(await appendRows(project, name.trim(), rows)), rows: rows.length }
    },
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
      <ChooseColumns
        columns={columns.slice(0, maxColumns)}
        leftOut={Math.max(0, columns.length - maxColumns)}
        onChange={(changed) => setColumns([...changed, ...columns.slice(maxColumns)])}
      />
      {repeated !== undefined && (
        <p className="problem">{`Two fields would go into the column ${repeated}: give one of them another name.`}</p>
      )}
      <button type="submit" className="primary" disabled={name.trim() === '' || repeated !== undefined || !hasColumns || add.isPending}>
        {calls.length === 1 ? 'Add the row' : 'Add the rows'}
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
