import { Time } from '../../ui/time/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { CurvePoint } from './curve-view.ts'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

const columns: readonly Column<CurvePoint>[] = [
  numberColumn('step', 'Step', 'minmax(64px, 1fr)', ({ step }) => step),
  numberColumn('value', 'Value', 'minmax(96px, 1fr)', ({ value }) => value, { show: String }),
  { id: 'at', title: 'Time', width: 'minmax(128px, 1fr)', align: 'right', cell: ({ at }) => at && <Time value={at} /> },
]

/** The points of a curve as a table of numbers, newest first. */
export const CurveTable = ({ name, points }: { name: string; points: readonly CurvePoint[] }) => (
  <DataTable
    label={`${name} as a table`}
    rows={points.toReversed()}
    columns={columns}
    rowId={({ step, at }) => `${step} ${at}`}
    rowHeight={32}
  />
)
