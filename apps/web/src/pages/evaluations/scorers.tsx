import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Scale } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { readableName } from '../../lib/texts/readable-name.ts'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { definitionsQuery, type ListedScorer, maxDefinitions, scorersQuery } from './definitions-query.ts'
import { scorerName } from './scorer-name.ts'

const none: readonly ListedScorer[] = []
const idOf = ({ name }: ListedScorer) => name

/** The latest version of each scorer, and the evaluations that use it. */
export function Scorers() {
  const { entity, project, id } = useProject()
  const query = useQuery(scorersQuery({ id }))
  const definitions = useQuery(definitionsQuery({ id })).data?.definitions
  const users = useMemo(() => {
    const byScorer = new Map<string, string[]>()
    for (const { name, scorers } of definitions ?? [])
      for (const scorer of new Set(scorers.map(scorerName))) byScorer.set(scorer, [...(byScorer.get(scorer) ?? []), name])
    return byScorer
  }, [definitions])
  const columns = useMemo(
    (): Column<ListedScorer>[] => [
      {
        id: 'name',
        title: 'Scorer',
        width: 'minmax(180px, 1fr)',
        sort: ({ name }) => readableName(name),
        hint: ({ name }) => name,
        cell: ({ name }) => (
          <Link
            to="/$entity/$project/$kind/$object"
            params={{ entity, project, kind: 'scorers', object: name }}
            className="font-medium hover:underline"
          >
            {name}
          </Link>
        ),
      },
      {
        id: 'class',
        title: 'Class',
        width: 'minmax(180px, 1fr)',
        cell: ({ className }) => <span className="mono text-fg-2">{className || '–'}</span>,
      },
      {
        id: 'users',
        title: 'Evaluations',
        width: 'minmax(180px, 1.6fr)',
        hint: ({ name }) => users.get(name)?.join(', '),
        cell: ({ name }) => <span className="text-fg-2">{users.get(name)?.join(', ') ?? '–'}</span>,
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
    [entity, project, users],
  )
  if (query.error) return <QueryProblem error={query.error} retry={() => void query.refetch()} />
  return (
    <>
      {query.data?.hasMore && (
        <div className="p-4">
          <Notice title={`These are the newest ${maxDefinitions} scorers`} />
        </div>
      )}
      <DataTable
        label="Scorers"
        name="scorers"
        rows={query.data?.scorers ?? none}
        columns={columns}
        rowId={idOf}
        isLoading={query.isPending}
        empty={
          <EmptyState icon={Scale} title="No scorers yet">
            <p>A scorer judges an output. Publish one with scorers.create, or run an evaluation that uses one.</p>
          </EmptyState>
        }
      />
    </>
  )
}
