import type { TrainingEvent } from '@heddle/core-api/types'
import { useMemo } from 'react'
import { Time } from '../../ui/time/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Select } from '../../ui/select.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { listText } from '../../lib/texts/list-text.ts'
import { metricText } from '../../features/curves/metric-name.ts'
import { chooseEvents, type EventChoice, eventChoices, levelOf } from '../../features/training/choose-events.ts'
import { textColumn } from '../../ui/table/column-kinds.tsx'

const choiceTitles: Readonly<Record<EventChoice, string>> = { errors: 'Errors', changes: 'Changes of state', steps: 'Gradient steps' }
const titles: Readonly<Record<TrainingEvent['type'], string>> = {
  training_started: 'Training started',
  gradient_step: 'Gradient step',
  training_ended: 'Training ended',
  training_failed: 'Training failed',
}

interface Properties {
  events: readonly TrainingEvent[]
  choice: EventChoice | undefined
  onChoice: (choice: EventChoice | undefined) => void
}

/** What happened to a job, the newest first. */
export function JobEvents({ events, choice, onChoice }: Properties) {
  const chosen = useMemo(() => chooseEvents(events, choice).toReversed(), [events, choice])
  return (
    <>
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-4">
        <Select
          inside
          label="Show"
          value={choice ?? 'all'}
          onChange={(next) => onChoice(eventChoices.find((one) => one === next))}
          choices={[{ value: 'all', label: 'All' }, ...eventChoices.map((one) => ({ value: one, label: choiceTitles[one] }))]}
        />
        <span className="num text-xs text-fg-3">{chosen.length.toLocaleString('en')} events</span>
      </div>
      <DataTable
        label="Events of the job"
        rows={chosen}
        columns={columns}
        rowId={({ id }) => id}
        tone={(event) => (levelOf(event) === 'error' ? 'red' : undefined)}
        empty={<p className="px-4 py-3 text-fg-3">No events of this kind</p>}
      />
    </>
  )
}

const columns: readonly Column<TrainingEvent>[] = [
  { id: 'time', title: 'Time', width: '168px', cell: ({ created_at }) => <Time value={created_at} hasSeconds /> },
  {
    id: 'event',
    title: 'Event',
    width: '160px',
    cell: (event) => (levelOf(event) === 'error' ? <Badge tone="red">{titles[event.type]}</Badge> : titles[event.type]),
  },
  textColumn('details', 'Details', 'minmax(240px, 1fr)', detailsOf, { look: 'quiet' }),
]

const shownDetails = 12

function detailsOf({ data }: TrainingEvent): string {
  const entries = Object.entries(data).filter(([, value]) => value !== null)
  return listText(entries, shownDetails, ([name, value]) => {
    if (typeof value === 'number') return `${name} ${metricText(name, value)}`
    return typeof value === 'string' ? value : `${name} ${JSON.stringify(value)}`
  })
}
