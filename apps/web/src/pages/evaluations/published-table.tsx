import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import { useMemo } from 'react'
import { readableName } from '../../lib/texts/readable-name.ts'
import { useProject } from '../../lib/use-project.ts'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { maxDefinitions } from './definitions-query.ts'

interface LatestVersion {
  name: string
  createdAt: string
}

interface Properties<Row> {
  /** Label of the rows, such as `Scorers`. */
  label: string
  /** Title of the column with their names. */
  one: string
  /** Where the library has them. */
  kind: 'objects' | 'scorers'
  query: UseQueryResult<{ hasMore: boolean }>
  rows: readonly Row[] | undefined
  /** Between the name and when it was published. */
  columns: readonly Column<Row>[]
  /** Id of the object. It must be stable while the table is shown. */
  idOf: (row: Row) => string
  icon: LucideIcon
  /** What one is, and how to publish the first. */
  hint: string
}

const none: readonly never[] = []

/** The latest versions of objects of one kind. */
export function PublishedTable<Row extends LatestVersion>({ label, one, kind, query, columns: own, idOf, ...properties }: Properties<Row>) {
  const { entity, project } = useProject()
  const columns = useMemo(
    (): Column<Row>[] => [
      {
        id: 'name',
        title: one,
        width: 'minmax(180px, 1.2fr)',
        sort: ({ name }) => readableName(name),
        hint: ({ name }) => name,
        cell: (row) => (
          <Link
            to="/$entity/$project/$kind/$object"
            params={{ entity, project, kind, object: idOf(row) }}
            className="font-medium hover:underline"
          >
            {row.name}
          </Link>
        ),
      },
      ...own,
      {
        id: 'published',
        title: 'Published',
        width: '112px',
        align: 'right',
        sort: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => <TimeInColumn value={createdAt} />,
      },
    ],
    [entity, project, kind, one, own, idOf],
  )
  if (query.error) return <QueryProblem error={query.error} retry={() => void query.refetch()} />
  const rows = label.toLowerCase()
  return (
    <>
      {query.data?.hasMore && (
        <div className="p-4">
          <Notice title={`The newest ${maxDefinitions} ${rows} are shown`} />
        </div>
      )}
      <DataTable
        label={label}
        name={rows}
        rows={properties.rows ?? none}
        columns={columns}
        rowId={idOf}
        isLoading={query.isPending}
        empty={
          <EmptyState icon={properties.icon} title={`No ${rows} yet`}>
            <p>{properties.hint}</p>
          </EmptyState>
        }
      />
    </>
  )
}
