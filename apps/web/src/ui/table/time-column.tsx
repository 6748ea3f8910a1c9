import { TimeInColumn } from '../time/time.tsx'
import type { Column } from './columns.ts'

/** A column of a time at the right, by which rows are sorted. Rows without one have a dash. */
export const timeColumn = <Row,>(id: string, title: string, timeOf: (row: Row) => string | null | undefined): Column<Row> => ({
  id,
  title,
  width: '112px',
  align: 'right',
  sort: (row) => timeOf(row) ?? '',
  cell: (row) => <TimeOrDash time={timeOf(row)} />,
})

const TimeOrDash = ({ time }: { time: string | null | undefined }) => (
  <span className={time ? 'text-fg-2' : 'text-fg-3'}>{time ? <TimeInColumn value={time} /> : '–'}</span>
)
