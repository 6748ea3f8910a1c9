import { toCell } from '../../lib/texts/to-text.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'
import { kindOf } from './rows/columns-of-rows.tsx'
import { cellOf, columnsOf } from './rows/row-columns.ts'
import { useTableRows } from './rows/use-table-rows.ts'
import { numberColumn, textColumn } from '../../ui/table/column-kinds.tsx'

/** Kinds of the columns of a version, from its first rows. */
export function SchemaTab({ version, count }: { version: DatasetVersion & { tableDigest: string }; count: number }) {
  const { values } = useTableRows(version.tableDigest, count === 0 ? [] : [0])
  const rows = [...values.values()]
  const { columns } = columnsOf(rows)
  return (
    <div className="flex flex-col">
      {version.description !== '' && (
        <div className="p-4">
          <LongText text={version.description} label="Description" />
        </div>
      )}
      <ListTable<string>
        label="Columns"
        edge={version.description !== ''}
        rows={columns}
        rowId={(name) => name}
        columns={[
          textColumn('name', 'Column', '28%', (name) => toCell(name, 80), { look: 'strong' }),
          textColumn('kind', 'Type', '120px', (name) => kindOf(rows, name)),
          numberColumn('filled', 'Filled', '96px', (name) => rows.filter((row) => isFilled(cellOf(row, name))).length / rows.length, {
            show: (share) => `${Math.round(share * 100)}%`,
          }),
          textColumn('example', 'Example', 'auto', (name) => toCell(rows.map((row) => cellOf(row, name)).find(isFilled) ?? '', 120), {
            look: 'mono',
          }),
        ]}
      />
      <p className="px-4 py-2 text-xs text-fg-3">
        {rows.length < count ? `Of the first ${rows.length.toLocaleString('en')} rows` : 'Of all rows'}
      </p>
    </div>
  )
}

const isFilled = (value: unknown) => value !== undefined && value !== null && value !== ''
