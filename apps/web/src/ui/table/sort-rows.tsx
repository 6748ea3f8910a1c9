import { type ColumnDef, createSortedRowModel, rowSortingFeature, sortFns, tableFeatures, useTable } from '@tanstack/react-table'
import { useLayoutEffect, useMemo } from 'react'
import type { Column } from './columns.ts'
import type { Sorting } from './sorting.ts'

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns })
type Features = typeof features

interface Properties<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  sorting: Sorting
  /** Takes the rows in their order. */
  onSorted: (sorted: readonly Row[], rows: readonly Row[]) => void
}

/** Sorts rows by the values of columns. It draws nothing: a list that is not sorted does without it, and without what it loads. */
export function SortRows<Row extends object>({ rows, columns, rowId, sorting, onSorted }: Properties<Row>) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, sort }): ColumnDef<Features, Row> => {
        const definition = { id, accessorFn: (row: Row) => sort?.(row) ?? '', enableSorting: sort !== undefined }
        return definition as ColumnDef<Features, Row>
      }),
    [columns],
  )
  const options = { features, columns: definitions, data: rows, state: { sorting }, getRowId: rowId }
  // The types of a table know its features only where they are written out.
  const table = useTable(options as never) as unknown as { getRowModel: () => { rows: { original: Row }[] } }
  const model = table.getRowModel().rows
  useLayoutEffect(() => {
    onSorted(
      model.map(({ original }) => original),
      rows,
    )
  }, [model, rows, onSorted])
  return null
}
