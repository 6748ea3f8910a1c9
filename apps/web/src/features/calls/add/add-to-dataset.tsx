import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { client } from '../../../lib/server/client.ts'
import { readAgain } from '../../../lib/server/read-again.ts'
import { useProject } from '../../../lib/use-project.ts'
import { Failure } from '../../../ui/states/failure.tsx'
import { ShowQuery } from '../../../ui/states/show-query.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { appendParts, appendRows, type Rows } from '../../datasets/append-rows.ts'
import { datasetsQuery } from '../../datasets/dataset-queries.ts'
import { ChooseColumns } from './choose-columns.tsx'
import { columnsOfCalls, type DatasetColumn, maxColumns, repeatedName, rowOfCall } from './row-of-call.ts'
import { payloadsQuery, type PayloadsOfCall, readPayloads } from './payloads-query.ts'
import { partSize } from '../parts/in-parts.ts'
import { PartsProgress } from '../parts/parts-progress.tsx'

/** Adds calls to a dataset as rows, in a new version. */
export function AddToDataset({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const { id: project } = useProject()
  const first = useMemo(() => ids.slice(0, partSize), [ids])
  const calls = useQuery(payloadsQuery(project, first))
  const form = useId()
  const input = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<FormState>({ canAdd: false, isAdding: false, isAdded: false })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add to dataset"
      initialFocus={input}
      footer={
        <>
          <Button size="md" onClick={onClose}>
            {state.isAdded ? 'Close' : 'Cancel'}
          </Button>
          <Button size="md" variant="primary" type="submit" form={form} aria-disabled={!state.canAdd} loading={state.isAdding}>
            {ids.length === 1 ? 'Add row' : `Add ${ids.length.toLocaleString('en')} rows`}
          </Button>
        </>
      }
    >
      <ShowQuery query={calls} what="the calls">
        {(read) =>
          read.length === 0 ? (
            <Notice tone="error" title="The calls were not found">
              They may have been deleted.
            </Notice>
          ) : (
            <DatasetForm key={first.join(' ')} id={form} input={input} ids={ids} first={read} onState={setState} />
          )
        }
      </ShowQuery>
    </Dialog>
  )
}

interface FormState {
  canAdd: boolean
  isAdding: boolean
  isAdded: boolean
}

interface FormProperties {
  id: string
  input: React.RefObject<HTMLInputElement | null>
  ids: readonly string[]
  /** The calls of the first part, by which columns are offered. */
  first: readonly PayloadsOfCall[]
  onState: (state: FormState) => void
}

function DatasetForm({ id, input, ids, first, onState }: FormProperties) {
  const project = useProject()
  const queries = useQueryClient()
  const known = useQuery(datasetsQuery(client, project.id))
  const [name, setName] = useState('')
  const [columns, setColumns] = useState<readonly DatasetColumn[]>(() => columnsOfCalls(first))
  const [done, setDone] = useState(0)
  const adding = useRef<AbortController>(undefined)
  // Closing the form ends it, and the dataset stays as it was.
  useEffect(() => () => adding.current?.abort(), [])
  const repeated = repeatedName(columns)
  const hasColumns = columns.some((column) => column.name.trim() !== '')
  const add = useMutation({
    mutationFn: async () => {
      const toRows = (calls: readonly PayloadsOfCall[]) => calls.map((call) => rowOfCall(call, columns.slice(0, maxColumns)))
      if (ids.length <= partSize) {
        const rows = toRows(first)
        return { ...(await appendRows(project, name.trim(), rows)), rows: rows.length }
      }
      const { signal } = (adding.current = new AbortController())
      let rows = 0
      async function* parts(): AsyncGenerator<Rows> {
        for (let at = 0; at < ids.length; at += partSize) {
          setDone(at)
          const part = toRows(await readPayloads(project.id, ids.slice(at, at + partSize), signal))
          signal.throwIfAborted()
          rows += part.length
          if (part.length > 0) yield part
        }
      }
      return { ...(await appendParts(project, name.trim(), parts())), rows }
    },
    onSuccess: () => readAgain(queries, datasetsQuery(client, project.id).queryKey),
  })
  const { isPending, isSuccess } = add
  const canAdd = name.trim() !== '' && repeated === undefined && hasColumns && !isPending
  useEffect(() => onState({ canAdd, isAdding: isPending, isAdded: isSuccess }), [canAdd, isPending, isSuccess, onState])
  function submit(event: FormEvent) {
    event.preventDefault()
    if (canAdd) add.mutate()
  }
  return (
    <form id={id} onSubmit={submit} className="flex max-h-[50vh] flex-col gap-3 overflow-auto p-1">
      <Field label="Dataset" help="A name that is not there yet becomes a new one.">
        {(ids) => (
          <>
            <Input
              {...ids}
              ref={input}
              list={`${id}-datasets`}
              maxLength={128}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <datalist id={`${id}-datasets`}>
              {known.data?.datasets.map(({ objectId }) => (
                <option key={objectId} value={objectId} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <ChooseColumns
        columns={columns.slice(0, maxColumns)}
        sampled={ids.length > partSize ? partSize : undefined}
        leftOut={Math.max(0, columns.length - maxColumns)}
        onChange={(changed) => setColumns([...changed, ...columns.slice(maxColumns)])}
      />
      {repeated !== undefined && (
        <p
          role="alert"
          className="text-xs text-red-text"
        >{`Two fields would go into the column ${repeated}: give one of them another name.`}</p>
      )}
      {isPending && <PartsProgress label="Added rows" done={done} all={ids.length} />}
      {add.data && (
        <p role="status">
          {countText(add.data.rows, 'row was', 'rows were')} added
          {add.data.isNew ? ' to a new dataset' : ' in a new version'}:{' '}
          <Link
            to="/$entity/$project/datasets/$object"
            params={{ ...project, object: add.data.objectId }}
            className="font-medium text-accent-text hover:underline"
          >
            {add.data.objectId}
          </Link>
        </p>
      )}
      <Failure error={add.error} before="No row was added." />
    </form>
  )
}
