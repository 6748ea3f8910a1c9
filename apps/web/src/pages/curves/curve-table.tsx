import { FigureTable } from '../../components/figure-table.tsx'
import type { GridColumn } from '../../components/rows-grid.tsx'
import { Time } from '../../components/time.tsx'
import type { CurvePoint } from './curve-view.ts'

const columns: readonly GridColumn<CurvePoint>[] = [
  { title: 'Step', rem: 5, grow: 1, isNumber: true, cell: ({ step }) => step.toLocaleString('en') },
  { title: 'Value', rem: 8, grow: 1, isNumber: true, cell: ({ value }) => String(value) },
  { title: 'Written', rem: 10, grow: 1, cell: ({ at }) => (at === undefined ? '' : <Time value={at} />) },
]

/** The points of a curve for those who read numbers, the newest first. */
export const CurveTable = ({ name, points }: { name: string; points: readonly CurvePoint[] }) => (
  <FigureTable name={name} rows={points} columns={columns} keyOf={({ step, at }) => `${step} ${at}`} />
)
