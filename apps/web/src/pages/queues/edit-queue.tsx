import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { keysOfItems } from './queue-queries.ts'
import { type QueueSetUp, readSetUp, toTyped } from './queue-set-up.ts'
import { SetUpFields } from './set-up-fields.tsx'

interface Queue extends QueueSetUp {
  id: string
  name: string
  description: string
}

/** Changes the name, the instructions and the set-up of a queue. */
export function EditQueue({ queue }: { queue: Queue }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Edit the queue</summary>
      {isOpen && <EditForm queue={queue} />}
    </details>
  )
}

function EditForm({ queue }: { queue: Queue }) {
  const id = useId()
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
      for (const key of ['queue', ...keysOfItems]) await readAgain(queries, [key, project.id])
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <label htmlFor={`${id}-name`}>Name</label>
      <input id={`${id}-name`} value={name} maxLength={1024} onChange={({ target }) => setName(target.value)} />
      <label htmlFor={`${id}-description`}>Instructions for annotators</label>
      <textarea
        id={`${id}-description`}
        rows={3}
        value={description}
        maxLength={65_536}
        onChange={({ target }) => setDescription(target.value)}
      />
      <SetUpFields typed={typed} onChange={(part) => setTyped((now) => ({ ...now, ...part }))} />
      <div className="row">
        <button type="submit" className="primary" disabled={name.trim() === '' || problem !== undefined || save.isPending}>
          {save.isPending ? 'Saving …' : 'Save'}
        </button>
        {save.isSuccess && <span role="status">Saved.</span>}
      </div>
      {problem !== undefined && <p className="muted">{problem}</p>}
      <Failure error={save.error} before="Not saved." />
    </form>
  )
}
