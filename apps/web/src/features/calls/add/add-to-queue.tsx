import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../../lib/server/client.ts'
import { readAgain } from '../../../lib/server/read-again.ts'
import { useProject } from '../../../lib/use-project.ts'
import { Failure } from '../../../ui/states/failure.tsx'
import { ShowQuery } from '../../../ui/states/show-query.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { queuesKey, queuesQuery } from '../../queues/queue-queries.ts'
import { PartsProblem, PartsProgress } from '../parts/parts-progress.tsx'
import { useParts } from '../parts/use-parts.ts'

/** Adds calls to an annotation queue of the project. */
export function AddToQueue({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const project = useProject()
  const queries = useQueryClient()
  const queues = useQuery(queuesQuery(client, project.id))
  const [chosen, setChosen] = useState<string>()
  const known = queues.data?.queues ?? []
  const queue = chosen ?? known[0]?.id
  const parts = useParts()
  const add = useMutation({
    mutationFn: async (queue_id: string) => {
      const items = { project_id: project.id, queue_id, display_fields: ['inputs', 'output'] }
      const outcome = await parts.run(ids, (part) => client.annotationQueues.addCalls({ ...items, call_ids: [...part] }))
      const sum = (name: 'added_count' | 'duplicates') => outcome.results.reduce((all, result) => all + result[name], 0)
      return { queue: queue_id, outcome, added: sum('added_count'), duplicates: sum('duplicates') }
    },
    onSuccess: () => readAgain(queries, queuesKey(project.id)),
  })
  return (
    <Dialog
      open
      onClose={add.isPending ? parts.stop : onClose}
      title="Send to annotation"
      footer={
        <>
          <Button size="md" onClick={add.isPending ? parts.stop : onClose}>
            {add.isPending ? 'Stop' : add.data ? 'Close' : 'Cancel'}
          </Button>
          <Button
            size="md"
            variant="primary"
            disabled={queue === undefined}
            loading={add.isPending}
            onClick={() => queue !== undefined && add.mutate(queue)}
          >
            {ids.length === 1 ? 'Add call' : `Add ${ids.length.toLocaleString('en')} calls`}
          </Button>
        </>
      }
    >
      <ShowQuery query={queues} what="annotation queues">
        {() =>
          known.length === 0 ? (
            <p>
              The project has no annotation queue yet.{' '}
              <Link to="/$entity/$project/queues" params={project} className="font-medium text-accent-text hover:underline">
                Create one
              </Link>
            </p>
          ) : (
            <Select
              label="Queue"
              size="md"
              className="w-full"
              choices={known.map(({ id, name }) => ({ value: id, label: name }))}
              value={queue ?? ''}
              onChange={setChosen}
            />
          )
        }
      </ShowQuery>
      {add.isPending && <PartsProgress label="Added calls" done={parts.done} all={ids.length} />}
      {add.data && <PartsProblem outcome={add.data.outcome} all={ids.length} verb="added" />}
      {add.data && add.data.outcome.done > 0 && (
        <p role="status" className="mt-3">
          {add.data.added.toLocaleString('en')} added
          {add.data.duplicates > 0 && `, ${add.data.duplicates.toLocaleString('en')} were in it already`}:{' '}
          <Link
            to="/$entity/$project/queues/$queue"
            params={{ ...project, queue: add.data.queue }}
            className="font-medium text-accent-text hover:underline"
          >
            {known.find(({ id }) => id === add.data.queue)?.name ?? 'the queue'}
          </Link>
        </p>
      )}
      <Failure error={add.error} before="No call was added." />
    </Dialog>
  )
}
