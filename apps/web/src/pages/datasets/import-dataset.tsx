import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { exactClient as client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { datasetsQuery } from '../../features/datasets/dataset-queries.ts'
import type { Row } from './rows/parse-rows.ts'
import { RowsFile } from './rows/rows-file.tsx'

/** Imports a file of rows as a new dataset, and opens it. A name that a dataset has already gets a new version. */
export function ImportDataset({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { id, entity, project } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [rows, setRows] = useState<Row[]>([])
  const create = useMutation({
    mutationFn: () => client.datasets.create({ entity, project, name: name.trim(), rows } as Parameters<typeof client.datasets.create>[0]),
    onSuccess: async ({ object_id }) => {
      await readAgain(queries, datasetsQuery(client, id).queryKey)
      onClose()
      await navigate({ to: '/$entity/$project/datasets/$object', params: { entity, project, object: object_id } })
    },
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="Import dataset"
      width="w-[640px]"
      action={rows.length === 0 ? 'Import' : `Import ${countText(rows.length, 'row')}`}
      isReady={rows.length > 0 && name.trim() !== ''}
      isSending={create.isPending}
      onSubmit={() => create.mutate()}
    >
      <RowsFile
        onRows={(read, fileName) => {
          setRows(read)
          if (name === '' && read.length > 0) setName(fileName.replace(/\.\w+$/, ''))
        }}
      />
      <TextField label="Name" help="A name that exists gets a new version" value={name} maxLength={128} onChange={setName} />
      <Failure error={create.error} />
    </FormDialog>
  )
}
