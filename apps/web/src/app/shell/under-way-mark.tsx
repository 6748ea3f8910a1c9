import { useQuery, queryOptions } from '@tanstack/react-query'
import { cx } from '../../lib/cx.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { countOf, textOf, type UnderWay } from './under-way-texts.ts'
import { client } from '../../lib/server/client.ts'
import { queuesKey } from '../../features/queues/queue-queries.ts'
import { trainingClient } from '../../features/training/training-queries.ts'

const refreshMs = 20_000

/** What is under way in a project. Polled while the page is visible, and read again with the queues when an item of one changes. */
const underWayQuery = ({ id, entity, project }: ProjectName) =>
  queryOptions({
    queryKey: [...queuesKey(id), 'under-way'],
    queryFn: async ({ signal }): Promise<UnderWay> => {
      const [counts, jobs] = await Promise.all([
        client.projects.readUnderWay({ project_id: id }, { signal }),
        trainingClient.trainingJobs.list({ entity, project, status: 'running', limit: 1 }, { signal }),
      ])
      return { runs: counts.evaluation_runs, items: counts.annotation_items, jobs: jobs.data.length }
    },
    refetchInterval: refreshMs,
    refetchIntervalInBackground: false,
  })

interface Properties {
  /** Id of the element, which is empty while nothing is under way. */
  id: string
  what: keyof UnderWay
  project: ProjectName
  /** Beside an icon without a title. */
  isNarrow: boolean
}

/** Shows work under way next to the sidebar link of its page: a dot, or how much is left. */
export function UnderWayMark({ id, what, project, isNarrow }: Properties) {
  const count = useQuery(underWayQuery(project)).data?.[what] ?? 0
  const shown = countOf(what, count)
  return (
    <span id={id} className={cx('pointer-events-none absolute flex items-center', isNarrow ? 'top-1 right-1' : 'top-0 right-2 h-7')}>
      {count > 0 && (
        <>
          {shown === undefined || isNarrow ? (
            <span aria-hidden className="size-1.5 rounded-full bg-blue" />
          ) : (
            <span aria-hidden className="num text-xs text-fg-3">
              {shown}
            </span>
          )}
          <span className="sr-only">{textOf(what, count)}</span>
        </>
      )}
    </span>
  )
}
