import type { UseQueryResult } from '@tanstack/react-query'
import type { LucideIcon } from 'lucide-react'
import { useMemo } from 'react'
import { readableName } from '../../lib/texts/readable-name.ts'
import { useProject } from '../../lib/use-project.ts'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { maxDefinitions } from './definitions-query.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { linkColumn, timeColumn } from '../../ui/table/column-kinds.tsx'

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

/** The latest versions of objects of one kind. */
export function PublishedTable<Row extends LatestVersion>({ label, one, kind, query, columns: own, idOf, ...properties }: Properties<Row>) {
  const { entity, project } = useProject()
  const columns = useMemo(
    (): Column<Row>[] => [
      linkColumn(
        'name',
        one,
        'minmax(180px, 1.2fr)',
        ({ name }) => name,
        (row) => ({ to: '/$entity/$project/$kind/$object', params: { entity, project, kind, object: idOf(row) } }),
        { sort: ({ name }) => readableName(name) },
      ),
      ...own,
      timeColumn('published', 'Published', ({ createdAt }) => createdAt),
    ],
    [entity, project, kind, one, own, idOf],
  )
  const rows = label.toLowerCase()
  return (
    <>
      {query.data?.hasMore && (
        <div className="p-4">
          <Notice title={`The newest ${maxDefinitions} ${rows} are shown`} />
        </div>
      )}
      <QueryTable
        label={label}
        name={rows}
        query={query}
        rows={properties.rows}
        columns={columns}
        rowId={idOf}
        empty={
          <EmptyState icon={properties.icon} title={`No ${rows} yet`}>
            <p>{properties.hint}</p>
          </EmptyState>
        }
      />
    </>
  )
}
