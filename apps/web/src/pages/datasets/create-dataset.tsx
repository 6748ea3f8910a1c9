import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import type { Row } from './rows/parse-rows.ts'
import { RowsFile } from './rows/rows-file.tsx'

/** Imports a file of rows as a new dataset. A name that a dataset has already gets a new version. */
export function CreateDataset({ onCreated }: { onCreated: (objectId: string) => void }) {
  const { id, entity, project } = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [rows, setRows] = useState<Row[]>([])
  const create = useMutation({
    mutationFn: () => client.datasets.create({ entity, project, name: name.trim(), rows } as Parameters<typeof client.datasets.create>[0]),
    onSuccess: async ({ object_id }) => {
      await readAgain(queries, ['datasets', id])
      onCreated(object_id)
    },
  })

  return (
    <section aria-labelledby="import">
      <h2 id="import">Import a dataset</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <RowsFile
          label="File: CSV with a header line, JSON lines, or a JSON list of objects"
          onRows={(read, fileName) => {
            setRows(read)
            if (name === '') setName(fileName.replace(/\.\w+$/, ''))
          }}
        />
        <label htmlFor="dataset-name">Name</label>
        <input id="dataset-name" value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />
        <button type="submit" className="primary" disabled={rows.length === 0 || name.trim() === '' || create.isPending}>
          {rows.length === 0 ? 'Import' : `Import ${rows.length.toLocaleString('en')} rows`}
        </button>
      </form>
      <Failure error={create.error} />
    </section>
  )
}
