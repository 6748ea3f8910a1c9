import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { type Status, StatusText } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import type { CheckpointRun } from './checkpoint-runs.ts'
import type { CheckpointScoresState } from './use-scores-of-checkpoints.ts'
import { linkColumn, numberColumn, textColumn, timeColumn } from '../../ui/table/column-kinds.tsx'
import type { EvalSummary } from '@heddle/core-api/types'
import { listText } from '../../lib/texts/list-text.ts'
import { numberText } from '../../lib/texts/number-text.ts'

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
  numberColumn('step', 'Step', '64px', ({ step }) => step),
  linkColumn(
    'run',
    'Run',
    'auto',
    ({ name }) => name,
    ({ id: run }) => ({
      to: '/$entity/$project/evaluations/runs/$run',
      params: { ...project, run },
    }),
  ),
  {
    id: 'status',
    title: 'Status',
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
  textColumn('scores', 'Scores', '36%', ({ id }) => scoresText(summaries?.get(id)), { look: 'quiet' }),
  timeColumn('started', 'Started', ({ started_at }) => started_at),
]

const shownScores = 3

/** The first scores of a run in one line, with the count of the rest. */
function scoresText(summary: EvalSummary | undefined): string {
  const scores = (summary?.scorer_stats ?? []).flatMap(({ scorer_key, path, pass_rate, numeric_mean }) => {
    const value = pass_rate ?? numeric_mean
    return value === null ? [] : [`${path === null ? scorer_key : `${scorer_key}.${path}`} ${numberText(value, pass_rate !== null)}`]
  })
  return listText(scores, shownScores, String)
}
