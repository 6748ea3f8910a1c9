import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { queueQuery, queuesKey } from '../../features/queues/queue-queries.ts'
import { type QueueSetUp, readSetUp, toTyped } from './queue-set-up.ts'
import { SetUpFields } from './set-up-fields.tsx'

interface Queue extends QueueSetUp {
  id: string
  name: string
  description: string
}

/** Changes the name, the instructions and the settings of a queue. The form is reset each time it is opened. */
export function EditQueue({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const project = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState(queue.name)
  const [description, setDescription] = useState(queue.description)
  const [typed, setTyped] = useState(() => toTyped(queue))
  const setUp = readSetUp(typed)
  const problem = typeof setUp === 'string' ? setUp : undefined
  const save = useMutation({
    mutationFn: () =>
      client.annotationQueues.update({
        project_id: project.id,
        queue_id: queue.id,
        name: name.trim(),
        description,
        ...(typeof setUp !== 'string' && setUp),
      }),
    onSuccess: async () => {
      for (const key of [queueQuery(client, project.id, queue.id).queryKey, queuesKey(project.id)]) await readAgain(queries, key)
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title="Edit queue"
      width="w-[560px]"
      action="Save"
      isReady={name.trim() !== '' && problem === undefined}
      isSending={save.isPending}
      onSubmit={() => save.mutate()}
    >
      <TextField label="Name" value={name} maxLength={1024} onChange={setName} />
      <Field label="Instructions" optional>
        {(ids) => (
          <Textarea {...ids} rows={4} value={description} maxLength={65_536} onChange={({ target }) => setDescription(target.value)} />
        )}
      </Field>
      <SetUpFields typed={typed} onChange={(part) => setTyped((now) => ({ ...now, ...part }))} />
      {problem !== undefined && (
        <p role="status" className="text-xs text-fg-2">
          {problem}
        </p>
      )}
      <Failure error={save.error} before="Not saved." />
    </FormDialog>
  )
}
