import { type LinkProps, type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { QueryProblem } from '../states/query-problem.tsx'
import { DataTable, type TableProperties } from './data-table.tsx'

export interface QueryTableProperties<Row> extends Omit<TableProperties<Row>, 'rows' | 'isLoading' | 'onOpen'> {
  /** What loads the rows. */
  query: { data: unknown; error: unknown; isPending: boolean; refetch: () => unknown }
  /** Undefined until they are loaded. */
  rows: readonly Row[] | undefined
  /** The page of a row, which Enter opens. */
  linkOf?: (row: Row) => LinkProps
}

const none: readonly never[] = []

/** The rows of a query; placeholders until they are loaded; and its error, also above rows from an earlier load. */
export function QueryTable<Row extends object>({ query, rows, linkOf, empty, ...table }: QueryTableProperties<Row>) {
  const navigate = useNavigate()
  return (
    <>
      {Boolean(query.error) && <QueryProblem error={query.error} retry={() => void query.refetch()} />}
      <DataTable
        {...table}
        rows={rows ?? none}
        {...(linkOf && { onOpen: (row: Row) => void navigate(linkOf(row) as NavigateOptions) })}
        isLoading={query.isPending}
        empty={query.data !== undefined && empty}
      />
    </>
  )
}
