import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { DatasetLink } from './dataset-link.tsx'
import { definitionsQuery, maxDefinitions } from './definitions-query.ts'
import { scorerName } from './scorer-name.ts'
import type { Definition } from './to-definition.ts'

const shownScorers = 5
const none: readonly Definition[] = []
const idOf = ({ objectId }: Definition) => objectId

/** The latest version of each evaluation: its dataset, its scorers, and how often it predicts a row. */
export function Definitions() {
  const { entity, project, id } = useProject()
  const query = useQuery(definitionsQuery({ id }))
  const columns = useMemo(
    (): Column<Definition>[] => [
      {
        id: 'name',
        title: 'Evaluation',
        width: 'minmax(180px, 1.2fr)',
        sort: ({ name }) => readableName(name),
        hint: ({ name }) => name,
        cell: ({ name, objectId }) => (
          <Link
            to="/$entity/$project/$kind/$object"
            params={{ entity, project, kind: 'objects', object: objectId }}
            className="font-medium hover:underline"
          >
            {name}
          </Link>
        ),
      },
      { id: 'dataset', title: 'Dataset', width: 'minmax(160px, 1fr)', cell: ({ dataset }) => <DatasetLink dataset={dataset} /> },
      {
        id: 'scorers',
        title: 'Scorers',
        width: 'minmax(180px, 1.6fr)',
        hint: ({ scorers }) => scorersText(scorers),
        cell: ({ scorers }) => <span className="text-fg-2">{scorersText(scorers)}</span>,
      },
      {
        id: 'trials',
        title: 'Trials',
        width: '80px',
        align: 'right',
        sort: ({ trials }) => trials ?? 0,
        cell: ({ trials }) => trials ?? '–',
      },
      {
        id: 'runs',
        title: 'Runs',
        width: '88px',
        align: 'right',
        cell: ({ objectId }) => (
          <Link
            to="/$entity/$project/evaluations"
            params={{ entity, project }}
            search={{ evaluation: objectId }}
            className="text-accent-text hover:underline"
          >
            Show
          </Link>
        ),
      },
      {
        id: 'published',
        title: 'Published',
        width: '112px',
        align: 'right',
        sort: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => <TimeInColumn value={createdAt} />,
      },
    ],
    [entity, project],
  )
  if (query.error) return <QueryProblem error={query.error} retry={() => void query.refetch()} />
  return (
    <>
      {query.data?.hasMore && (
        <div className="p-4">
          <Notice title={`These are the newest ${maxDefinitions} evaluations.`} />
        </div>
      )}
      <DataTable
        label="Evaluations"
        name="evaluations"
        rows={query.data?.definitions ?? none}
        columns={columns}
        rowId={idOf}
        isLoading={query.isPending}
        empty={
          <EmptyState icon={FlaskConical} title="No evaluations yet">
            <p>An evaluation is a dataset with scorers. Publish one with evaluations.create.</p>
          </EmptyState>
        }
      />
    </>
  )
}

function scorersText(scorers: readonly string[]): string {
  if (scorers.length === 0) return '–'
  const names = scorers.slice(0, shownScorers).map(scorerName)
  return [...names, ...(scorers.length > shownScorers ? [`and ${scorers.length - shownScorers} more`] : [])].join(', ')
}
