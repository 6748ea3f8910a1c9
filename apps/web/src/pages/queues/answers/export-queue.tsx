import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { client, exactClient } from '../../../lib/server/client.ts'
import { readAgain } from '../../../lib/server/read-again.ts'
import { type ProjectName, useProject } from '../../../lib/use-project.ts'
import { Failure } from '../../../ui/states/failure.tsx'
import { columnsOfCalls, rowOfCall } from '../../../features/calls/add/row-of-call.ts'
import { appendRows } from '../../../features/datasets/append-rows.ts'
import { datasetsQuery } from '../../../features/datasets/dataset-queries.ts'
import { itemsQuery, maxItems } from '../../../features/queues/queue-queries.ts'
import { answersQuery } from '../../../features/queues/answers-query.ts'
import { type AnsweredCall, toAnswerRows } from './to-answer-rows.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Notice } from '../../../ui/notice.tsx'

const callsOfRequest = 500

interface Properties {
  queue: string
  onClose: () => void
}

/** Writes the completed items of a queue into a dataset: each call with its annotations. */
export function ExportQueue({ queue, onClose }: Properties) {
  const input = useRef<HTMLInputElement>(null)
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
      const { answers } = await queries.fetchQuery({ ...answersQuery(exactClient, project.id, queue), staleTime: 0 })
      const calls = await readCalls(
        project,
        items.map(({ call_id }) => call_id),
      )
      const rows = toAnswerRows(calls, answers)
      if (rows.length === 0) throw new Error('the calls of the completed items were deleted')
      return { ...(await appendRows(project, name.trim(), rows)), rows: rows.length, hasMore }
    },
    onSuccess: () => readAgain(queries, datasetsQuery(client, project.id).queryKey),
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Export to dataset"
      description="One row per completed item: inputs, output, answers and notes of its call. A correction becomes its expected value."
      initialFocus={input}
      action="Export"
      isReady={name.trim() !== ''}
      isSending={write.isPending}
      isDone={write.data !== undefined}
      onSubmit={() => write.mutate()}
      className="flex flex-col gap-3 pb-4"
    >
      <TextField label="Dataset" help="A new name creates a dataset" ref={input} value={name} maxLength={128} onChange={setName} />
      {write.data && (
        <Notice
          tone="ok"
          title={
            <>
              {countText(write.data.rows, 'row')} added to{' '}
              <Link to="/$entity/$project/datasets/$object" params={{ ...project, object: write.data.objectId }}>
                {write.data.objectId}
              </Link>
            </>
          }
        >
          {write.data.hasMore && `From the first ${maxItems.toLocaleString('en')} completed items; there are more.`}
        </Notice>
      )}
      <Failure error={write.error} before="Not exported." />
    </FormDialog>
  )
}

/** In the order of the ids; deleted calls are missing. */
async function readCalls({ id: project_id }: ProjectName, ids: readonly string[]): Promise<AnsweredCall[]> {
  const found = new Map<string, AnsweredCall>()
  for (let at = 0; at < ids.length; at += callsOfRequest) {
    const filter = { call_ids: ids.slice(at, at + callsOfRequest) }
    for await (const call of exactClient.calls.streamQuery({ project_id, filter, columns: ['id', 'inputs', 'output', 'attributes'] }))
      found.set(call.id, { id: call.id, columns: rowOfCall(call, columnsOfCalls([call])) })
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}
