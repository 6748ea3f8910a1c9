import { toCell } from '../../lib/texts/to-text.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { ListTable } from '../../ui/list-table.tsx'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'
import { kindOf } from './rows/columns-of-rows.tsx'
import { cellOf, columnsOf } from './rows/row-columns.ts'
import { useTableRows } from './rows/use-table-rows.ts'

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
      <ListTable
        label="Columns"
        edge={version.description !== ''}
        rows={columns}
        rowId={(name) => name}
        columns={[
          { id: 'name', header: 'Column', width: '28%', cell: (name) => <span className="font-medium">{toCell(name, 80)}</span> },
          { id: 'kind', header: 'Type', width: '120px', cell: (name) => kindOf(rows, name) },
          {
            id: 'filled',
            header: 'Filled',
            width: '96px',
            align: 'right',
            cell: (name) => `${Math.round((rows.filter((row) => isFilled(cellOf(row, name))).length / rows.length) * 100)}%`,
          },
          {
            id: 'example',
            header: 'Example',
            cell: (name) => (
              <span className="mono text-fg-2">{toCell(rows.map((row) => cellOf(row, name)).find(isFilled) ?? '', 120)}</span>
            ),
          },
        ]}
      />
      <p className="px-4 py-2 text-xs text-fg-3">
        {rows.length < count ? `Of the first ${rows.length.toLocaleString('en')} rows` : 'Of all rows'}
      </p>
    </div>
  )
}

const isFilled = (value: unknown) => value !== undefined && value !== null && value !== ''
