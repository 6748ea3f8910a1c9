import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { exactClient as client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { datasetsQuery } from '../../features/datasets/dataset-queries.ts'
import type { Row } from './rows/parse-rows.ts'
import { RowsFile } from './rows/rows-file.tsx'

/** Imports a file of rows as a new dataset, and opens it. A name that a dataset has already gets a new version. */
export function ImportDataset({ open, onClose }: { open: boolean; onClose: () => void }) {
  const formId = useId()
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
  function submit(event: FormEvent) {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Import dataset"
      width="w-[640px]"
      footer={
        <DialogActions
          onCancel={onClose}
          type="submit"
          form={formId}
          disabled={rows.length === 0 || name.trim() === ''}
          loading={create.isPending}
        >
          {rows.length === 0 ? 'Import' : `Import ${countText(rows.length, 'row')}`}
        </DialogActions>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-4 pb-4">
        <RowsFile
          onRows={(read, fileName) => {
            setRows(read)
            if (name === '' && read.length > 0) setName(fileName.replace(/\.\w+$/, ''))
          }}
        />
        <Field label="Name" help="A name that exists gets a new version">
          {(ids) => <Input {...ids} value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Failure error={create.error} />
      </form>
    </Dialog>
  )
}
