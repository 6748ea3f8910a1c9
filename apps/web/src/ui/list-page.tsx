import type { ReactNode } from 'react'
import { PageFooter, PageHead } from './page.tsx'
import { QueryTable, type QueryTableProperties } from './table/query-table.tsx'

interface Properties<Row> extends QueryTableProperties<Row> {
  /** Title of the page. */
  title: string
  actions?: ReactNode
  /** Above the rows: tabs, filters, notices. */
  above?: ReactNode
  /** Below the rows once they have loaded: how many there are. */
  footer?: (rows: readonly Row[]) => ReactNode
  /** Dialogs of the page. */
  children?: ReactNode
}

/** A page that lists the rows of one query. */
export function ListPage<Row extends object>({ title, actions, above, footer, children, ...table }: Properties<Row>) {
  return (
    <div data-flush="" className="flex h-full min-h-0 flex-col">
      <PageHead title={title} actions={actions} />
      {above}
      <QueryTable {...table} />
      {table.rows && footer && <PageFooter>{footer(table.rows)}</PageFooter>}
      {children}
    </div>
  )
}
