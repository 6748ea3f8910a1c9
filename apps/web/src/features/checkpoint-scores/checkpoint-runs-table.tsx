import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { type Status, StatusText } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { scoresText } from '../evaluations/scores-text.ts'
import type { CheckpointRun } from './checkpoint-runs.ts'
import type { CheckpointScoresState } from './use-scores-of-checkpoints.ts'

const shownRuns = 10
const statuses: Readonly<Record<string, { status: Status; text: string }>> = {
  completed: { status: 'ok', text: 'Completed' },
  running: { status: 'running', text: 'Running' },
  failed: { status: 'error', text: 'Failed' },
}

interface Properties {
  runs: UseQueryResult<{ runs: readonly CheckpointRun[]; hasMore: boolean }>
  scores: CheckpointScoresState
}

/** The evaluation runs on checkpoints of a model, the highest step first. Renders nothing if there are none. */
export function CheckpointRuns({ runs: { data }, scores: { summaries } }: Properties) {
  const project = useProject()
  const [showsAll, setShowsAll] = useState(false)
  if (!data || data.runs.length === 0) return null
  const rows = data.runs.toSorted((one, other) => other.step - one.step)
  return (
    <Card title="Checkpoint scores" flush className="shrink-0">
      <ListTable
        label="Checkpoint scores"
        rows={showsAll ? rows : rows.slice(0, shownRuns)}
        columns={columnsOf(project, summaries)}
        rowId={({ id }) => id}
      />
      {!showsAll && rows.length > shownRuns && (
        <div className="border-t border-line px-4 py-2">
          <Button variant="ghost" onClick={() => setShowsAll(true)}>
            Show all {rows.length.toLocaleString('en')}
          </Button>
        </div>
      )}
    </Card>
  )
}

const columnsOf = (project: ProjectName, summaries: CheckpointScoresState['summaries']): ListColumn<CheckpointRun>[] => [
  { id: 'step', header: 'Step', width: '64px', cell: ({ step }) => step },
  {
    id: 'run',
    header: 'Run',
    cell: ({ id, name }) => (
      <Link to="/$entity/$project/evaluations/runs/$run" params={{ ...project, run: id }} className="font-medium hover:underline">
        {name}
      </Link>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '116px',
    cell: ({ status, exception }) => {
      const { status: sign, text } = statuses[status] ?? { status: 'queued' as const, text: status }
      return (
        <span data-tip={exception ?? undefined}>
          <StatusText status={sign}>{text}</StatusText>
        </span>
      )
    },
  },
  { id: 'scores', header: 'Scores', width: '36%', cell: ({ id }) => <span className="text-fg-2">{scoresText(summaries?.get(id))}</span> },
  { id: 'started', header: 'Started', width: '104px', align: 'right', cell: ({ started_at }) => <TimeInColumn value={started_at} /> },
]
