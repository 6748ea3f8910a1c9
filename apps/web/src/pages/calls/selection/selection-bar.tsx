import { useNavigate } from '@tanstack/react-router'
import { Database, GitCompareArrows, ListChecks, Scale, Trash2, X } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'
import type { ListedCalls } from '../../../features/calls/totals/known-traces.ts'
import { ExportCalls } from './export-calls.tsx'
import { SelectMatching } from './select-matching.tsx'
import { maxScored } from './score/score-queries.ts'
import { maxSelected, type Selection } from './use-selection.ts'
import { lazyDialog, lazyPart } from '../../../ui/lazy-part.tsx'

const AddToDataset = lazyDialog(() => import('../../../features/calls/add/add-to-dataset.tsx').then(({ AddToDataset }) => AddToDataset))
const AddToQueue = lazyDialog(() => import('../../../features/calls/add/add-to-queue.tsx').then(({ AddToQueue }) => AddToQueue))
const ScoreCalls = lazyDialog(() => import('./score/score-calls.tsx').then(({ ScoreCalls }) => ScoreCalls))
const DeleteCalls = lazyPart(() => import('./delete-calls.tsx').then(({ DeleteCalls }) => DeleteCalls))

type Action = 'dataset' | 'queue' | 'score' | 'delete'

interface Properties {
  selection: Selection
  /** What selects the rows, and their order. */
  list: CallsSearch
  /** The same, with the traces that it requests. */
  listed: ListedCalls
  onDeleted: () => void
}

/** Actions for the selected rows, above the end of the list. */
export function SelectionBar({ selection, list, listed, onDeleted }: Properties) {
  const { entity, project } = useProject()
  const navigate = useNavigate()
  const [action, setAction] = useState<Action>()
  const ids = useMemo(() => [...selection.ids], [selection.ids])
  const close = () => setAction(undefined)
  if (ids.length === 0) return null
  return (
    <>
      <div
        role="toolbar"
        aria-label="Selected calls"
        className="pop absolute inset-x-2 bottom-3 z-20 mx-auto flex min-h-10 w-fit flex-wrap items-center gap-1 px-2"
      >
        <span role="status" className="num px-2 font-medium whitespace-nowrap">
          {`${ids.length.toLocaleString('en')} selected`}
          {ids.length === maxSelected && ', the most at once'}
        </span>
        <SelectMatching key={JSON.stringify(list)} selection={selection} listed={listed} />
        <Button variant="ghost" icon={Database} onClick={() => setAction('dataset')}>
          Add to dataset
        </Button>
        <Button variant="ghost" icon={ListChecks} onClick={() => setAction('queue')}>
          Annotate
        </Button>
        <Button
          variant="ghost"
          icon={Scale}
          disabled={ids.length > maxScored}
          data-tip={ids.length > maxScored ? `At most ${maxScored} calls are scored at once` : undefined}
          onClick={() => setAction('score')}
        >
          Score
        </Button>
        {ids.length === 2 && (
          <Button
            variant="ghost"
            icon={GitCompareArrows}
            onClick={() =>
              void navigate({ to: '/$entity/$project/calls/compare', params: { entity, project }, search: { ids: ids.join(',') } })
            }
          >
            Compare
          </Button>
        )}
        <ExportCalls ids={ids} />
        <IconButton label="Delete" icon={Trash2} onClick={() => setAction('delete')} />
        <span aria-hidden className="mx-1 h-5 w-px shrink-0 bg-line-2" />
        <IconButton label="Clear selection" icon={X} onClick={selection.clear} />
      </div>
      {action === 'dataset' && <AddToDataset ids={ids} onClose={close} />}
      {action === 'queue' && <AddToQueue ids={ids} onClose={close} />}
      {action === 'score' && <ScoreCalls key={ids.join()} ids={ids} onClose={close} />}
      <Suspense>
        {action === 'delete' && (
          <DeleteCalls
            ids={ids}
            onKeep={close}
            onDeleted={(count) => {
              onDeleted()
              if (count < ids.length) return selection.set(new Set(ids.slice(count)))
              close()
              selection.clear()
            }}
          />
        )}
      </Suspense>
    </>
  )
}
