import { Time } from '../../ui/time/time.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { CurvePoint } from './curve-view.ts'

const columns: readonly Column<CurvePoint>[] = [
  { id: 'step', title: 'Step', width: 'minmax(64px, 1fr)', cell: ({ step }) => step.toLocaleString('en') },
  { id: 'value', title: 'Value', width: 'minmax(96px, 1fr)', align: 'right', cell: ({ value }) => String(value) },
  {
    id: 'at',
    title: 'Time',
    width: 'minmax(128px, 1fr)',
    align: 'right',
    cell: ({ at }) => (at === undefined ? '–' : <Time value={at} />),
  },
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
