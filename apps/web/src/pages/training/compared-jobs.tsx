import { useQueries, useQuery } from '@tanstack/react-query'
import type { TrainingJob } from '@heddle/core-api/types'
import { Plus, X } from 'lucide-react'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { timeText } from '../../lib/time/time-text.ts'
import { Swatch } from '../../plot/tip.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { looksOfLines } from '../../features/curves/series-lines.ts'
import { nameOfJob } from './job-name.ts'
import { type StepMetrics, stepsOf } from './step-metrics.ts'
import { isUnfinished } from '../../features/training/is-unfinished.ts'
import { eventsQuery, jobsQuery } from '../../features/training/training-queries.ts'

/** Jobs whose curves can be in one chart, with that of the page. */
export const maxJobsDrawn = 8

export interface ComparedJob {
  id: string
  steps: readonly StepMetrics[]
  /** Why its events were not read; null where they were, or still are. */
  error: Error | null
}

/** The gradient steps of other jobs, in the order of their ids, as they are read. */
export function useComparedJobs(ids: readonly string[]): ComparedJob[] {
  return useQueries({
    queries: ids.map((id) => eventsQuery(id, false)),
    combine: (queries) => queries.map(({ data, error }, at) => ({ id: ids[at] ?? '', steps: stepsOf(data ?? []), error })),
  })
}

interface Properties {
  job: TrainingJob
  /** The jobs that are drawn. */
  compared: readonly ComparedJob[]
  /** There is room for the sign of the menu alone. */
  isNarrow: boolean
  onOver: (ids: readonly string[]) => void
}

/** The jobs whose curves are overlaid on those of the page, each with its line, and a menu of further ones. */
export function CompareJobs({ job, compared, isNarrow, onOver }: Properties) {
  const over = compared.map(({ id }) => id)
  const timeZone = useTimeZone()
  const jobs = useQuery(jobsQuery(useProject()))
  if (jobs.error) return <QueryProblem error={jobs.error} retry={() => void jobs.refetch()} />
  const others = (jobs.data?.jobs ?? []).filter(
    (one) => one.id !== job.id && one.kind === job.kind && !isUnfinished(one) && !over.includes(one.id),
  )
  return (
    <>
      {over.length > 0 && (
        <ul aria-label="Runs" className="flex flex-wrap items-center gap-2">
          {over.map((id, at) => (
            <li key={id} className="flex h-7 items-center gap-1.5 rounded-md border border-line pl-2 text-xs whitespace-nowrap">
              <Swatch {...looksOfLines[at + 1]!} line />
              {nameOfJob(id)}
              <IconButton label={`Remove ${nameOfJob(id)}`} icon={X} onClick={() => onOver(over.filter((one) => one !== id))} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && over.length + 1 < maxJobsDrawn && (
        <Menu
          label="Runs of the project"
          trigger={isNarrow ? <IconButton label="Add run" icon={Plus} variant="secondary" /> : <Button icon={Plus}>Add run</Button>}
        >
          {others.map(({ id, created_at, status }) => (
            <MenuItem key={id} note={`${status}, ${timeText(created_at, timeZone)}`} onClick={() => onOver([...over, id])}>
              {nameOfJob(id)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}
