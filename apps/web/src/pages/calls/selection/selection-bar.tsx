import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useProject } from '../../../app/use-project.ts'
import { Pending } from '../../../components/pending.tsx'
import { AddToDataset } from './add-to-dataset.tsx'
import { AddToQueue } from './add-to-queue.tsx'
import { DeleteCalls } from './delete-calls.tsx'
import { ExportCalls } from './export-calls.tsx'
import { maxSelected, type Selection } from './use-selection.ts'

const ScoreCalls = lazy(() => import('./score/score-calls.tsx').then(({ ScoreCalls: form }) => ({ default: form })))

const actions = [
  { name: 'dataset', title: 'Add to a dataset' },
  { name: 'queue', title: 'Add to an annotation queue' },
  { name: 'score', title: 'Score' },
  { name: 'delete', title: 'Delete' },
] as const
type Action = (typeof actions)[number]['name']

/** What can be done with the calls that are selected. */
export function SelectionBar({ selection, onDeleted }: { selection: Selection; onDeleted: () => void }) {
  const { entity, project } = useProject()
  const [action, setAction] = useState<Action>()
  const ids = [...selection.ids]
  if (ids.length === 0) return null
  return (
    <section aria-label="Selected calls" className="notice">
      <div className="row">
        <span role="status">
          {ids.length === 1 ? '1 call is selected' : `${ids.length} calls are selected`}
          {ids.length === maxSelected && ', which is the most at once'}
        </span>
        {actions.map(({ name, title }) => (
          <button key={name} type="button" aria-expanded={action === name} onClick={() => setAction(action === name ? undefined : name)}>
            {title} …
          </button>
        ))}
        {ids.length === 2 && (
          <Link to="/$entity/$project/calls/compare" params={{ entity, project }} search={{ ids: ids.join(',') }}>
            Compare them
          </Link>
        )}
        <ExportCalls key={ids.join()} ids={ids} />
        <button type="button" onClick={selection.clear}>
          Clear the selection
        </button>
      </div>
      {action === 'dataset' && <AddToDataset ids={ids} />}
      {action === 'queue' && <AddToQueue ids={ids} />}
      {action === 'score' && (
        <Suspense fallback={<Pending what="scorers" />}>
          <ScoreCalls key={ids.join()} ids={ids} />
        </Suspense>
      )}
      {action === 'delete' && (
        <DeleteCalls
          ids={ids}
          onKeep={() => setAction(undefined)}
          onDeleted={() => {
            setAction(undefined)
            selection.clear()
            onDeleted()
          }}
        />
      )}
    </section>
  )
}
