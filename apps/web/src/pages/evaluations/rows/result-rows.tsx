import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import { sum } from '../../../lib/sum.ts'
import { readableCell } from '../../../lib/texts/readable-cell.ts'
import { formatDuration } from '../../../lib/time/duration.ts'
import { Delta } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { Sorting } from '../../../ui/table/sorting.ts'
import { type ComparedRuns, type MatrixRow, spreadInCell, valuesInRow } from '../compared-runs.ts'
import { numberText } from '../../../lib/texts/number-text.ts'
import { colourOfRun } from '../run-colours.ts'
import { latencyMeasure } from '@heddle/evaluations'
import { isLowerBetter, measureText, measureTitle, sizeText } from '../measure-text.ts'
import { trialLatency } from '../trial-latency.ts'
import { MarkedText } from './marked-text.tsx'
import { partsOfRow } from './parts-of-row.ts'
import type { RowOrder } from './row-choices.ts'

/** Height of a row in pixels: two lines of an input or output, and a third with what was expected, or the latency. */
const [twoLines, threeLines] = [57, 77]
/** Most characters of an output or an input in a cell. */
const shownCharacters = 220

interface Properties {
  /** Labels that distinguish the runs, in the order of their columns. */
  runs: readonly string[]
  compared: ComparedRuns
  rows: readonly MatrixRow[]
  /** Measures that have a column in each run. */
  names: readonly string[]
  /** By which rows are chosen and ordered. A press on the head of another one chooses that. */
  measure: { name: string; onChange: (name: string) => void }
  /** The order of the rows. Heads name the measure as sorted by where it determines that. */
  order: RowOrder
  /** Digest of the row that was looked at last. */
  selected: string | undefined
  /** Shown instead of rows, if there are none. */
  empty: ReactNode
}

const idOf = ({ row }: MatrixRow) => row.row_digest
/** Shows a row whole. */
const withRow =
  ({ row }: Pick<MatrixRow, 'row'>) =>
  (search: object) => ({ ...search, row: row.row_digest })
const toneOf = ({ cells }: MatrixRow) => (cells.some((cell) => cell !== undefined && cell.failed > 0) ? 'red' : undefined)

/** Rows of the dataset, with a group of columns for each run: its output, and each measure with its difference from the baseline. */
export function ResultRows({ runs, compared, rows, names, measure, order, selected, empty }: Properties) {
  const [active, setActive] = useState(selected)
  const navigate = useNavigate()
  const open = (row: MatrixRow) => void navigate({ to: '.', search: withRow(row) })
  // A latency with its own column is not repeated below the output.
  const hasColumn = names.includes(latencyMeasure)
  const columns = useMemo(
    () => [
      inputColumn,
      ...runs.flatMap((run, at) => [
        outputColumn(runs, { run, at, hasLatency: !hasColumn }),
        ...names.map((name) => measureColumn(compared, { name, at })),
      ]),
    ],
    [runs, names, compared, hasColumn],
  )
  const rowHeight = useMemo(
    () => (compared.rows.some((row) => hasThirdLine(row, !hasColumn)) ? threeLines : twoLines),
    [compared.rows, hasColumn],
  )
  const sorting: Sorting = useMemo(
    () => (order === 'row' ? [] : runs.map((_, at) => ({ id: `${at} ${measure.name}`, desc: order === 'change' }))),
    [runs, measure.name, order],
  )
  return (
    <DataTable
      label="Rows of the dataset"
      rows={rows}
      columns={columns}
      rowId={idOf}
      rowHeight={rowHeight}
      tone={toneOf}
      active={active}
      onActive={({ row }) => setActive(row.row_digest)}
      onOpen={open}
      onPeek={open}
      sorting={{
        value: sorting,
        onChange: (next) => measure.onChange(nameOf(next.find(({ id }) => !sorting.some((one) => one.id === id))?.id) ?? measure.name),
      }}
      empty={empty}
      className="[&_[data-column^=output]]:border-l [&_[data-column^=output]]:border-line [&_[role=gridcell]]:h-full [&_[role=gridcell]]:items-start [&_[role=gridcell]]:py-2 [&_[role=gridcell]:has([data-fell])]:bg-red-soft"
    />
  )
}

/** Whether a cell of the row has a line below its text. */
const hasThirdLine = ({ row, cells }: MatrixRow, hasLatency: boolean) =>
  partsOfRow(row.raw_data_row ?? row.row_digest).expected !== undefined ||
  cells.some((cell) => cell?.trials.some((trial, _, all) => all.length > 1 || (hasLatency && trialLatency(trial) !== undefined)))

/** The measure that a column is of; undefined for other columns. */
const nameOf = (id: string | undefined) => id?.replace(/^\d+ /, '')

const inputColumn: Column<MatrixRow> = {
  id: 'row',
  title: 'Input and expected answer',
  width: '224px',
  pin: 'left',
  cell: ({ row, place }) => {
    const { input, expected } = partsOfRow(row.raw_data_row ?? row.row_digest)
    return (
      <span className="flex gap-2">
        <span className="w-7 shrink-0 text-right text-xs leading-5 text-fg-3">{(place + 1).toLocaleString('en')}</span>
        <span className="block min-w-0">
          <Link to="." search={withRow({ row })} className="line-clamp-2 rounded-sm whitespace-normal wrap-anywhere hover:underline">
            {readableCell(input, shownCharacters)}
          </Link>
          {expected !== undefined && <span className="block truncate text-xs text-fg-3">{readableCell(expected, shownCharacters)}</span>}
        </span>
      </span>
    )
  },
}

interface OutputOf {
  run: string
  at: number
  /** Show the latency below the output. */
  hasLatency: boolean
}

function outputColumn(runs: readonly string[], { run, at, hasLatency }: OutputOf): Column<MatrixRow> {
  return {
    id: `output ${at}`,
    title: runs.length > 1 ? `${at + 1}. ${run}` : 'Output',
    ...(runs.length > 1 && { color: colourOfRun(at, runs.length) }),
    width: runs.length > 1 ? 'minmax(160px, 1fr)' : 'minmax(260px, 1fr)',
    cell: (row) => <Output row={row} at={at} hasLatency={hasLatency} />,
  }
}

function Output({ row: { cells }, at, hasLatency }: { row: MatrixRow; at: number; hasLatency: boolean }) {
  const cell = cells[at]
  if (!cell) return <span className="text-fg-3">not in this run</span>
  const { trials, failed } = cell
  const seconds = hasLatency ? trials.flatMap((trial) => trialLatency(trial) ?? []) : []
  const meta = [
    ...(seconds.length > 0 ? [formatDuration((sum(seconds) / seconds.length) * 1_000)] : []),
    ...(trials.length > 1 ? [`${trials.length} trials`] : []),
    ...(trials.length > 1 && failed > 0 ? [`${failed} without output`] : []),
  ]
  const text = outputOf(cell)
  const before = at === 0 ? undefined : outputOf(cells[0])
  return (
    <span className="block">
      <span className="line-clamp-2 whitespace-normal wrap-anywhere text-fg-2">
        {text === undefined ? (
          <span className="text-red-text">⚠ no output</span>
        ) : before === undefined ? (
          text
        ) : (
          <MarkedText before={before} after={text} characters={shownCharacters} />
        )}
      </span>
      <span className="block truncate text-xs text-fg-3">{meta.join(' · ')}</span>
    </span>
  )
}

/** The first output of a row in a run, on one line. Undefined without one. */
function outputOf(cell: MatrixRow['cells'][number]): string | undefined {
  const trial = cell?.trials.find(({ model_output }) => model_output !== null)
  return trial && readableCell(trial.model_output, shownCharacters)
}

function measureColumn(compared: ComparedRuns, { name, at }: { name: string; at: number }): Column<MatrixRow> {
  return {
    id: `${at} ${name}`,
    title: measureTitle(name),
    // A value with its difference is as wide as this.
    width: 'minmax(120px, 0.3fr)',
    ...(compared.runs.length === 1 && { align: 'right' as const }),
    sort: () => 0,
    cell: (row) => {
      const values = valuesInRow(compared.runs, name, row.place)
      return (
        <Value
          name={name}
          row={row}
          at={at}
          value={values[at] ?? Number.NaN}
          before={at === 0 ? Number.NaN : (values[0] ?? Number.NaN)}
          isRate={compared.runs[at]?.measures.get(name)?.isRate ?? false}
        />
      )
    },
  }
}

interface ValueProperties {
  name: string
  row: MatrixRow
  at: number
  value: number
  /** Value of the baseline; NaN without one. */
  before: number
  isRate: boolean
}

/** A verdict by its shape, any other value as its number; then its difference, and the spread of its trials. */
function Value({ name, row, at, value, before, isRate }: ValueProperties) {
  if (Number.isNaN(value)) return <span className="text-fg-3">–</span>
  const change = value - before
  const spread = spreadInCell(row.cells[at], name)
  const isWorse = isLowerBetter(name) ? change > 0 : change < 0
  return (
    <span className="block leading-5" data-fell={isWorse && !isLowerBetter(name) ? '' : undefined}>
      <span className="inline-flex h-5 items-center gap-1.5 font-medium">
        {isRate && (value === 0 || value === 1) ? <Verdict isPassed={value === 1} /> : measureText(name, value, isRate)}
        {!Number.isNaN(change) && change !== 0 && (
          <Delta
            value={change}
            text={isRate && Math.abs(change) === 1 ? '' : sizeText(name, change, isRate)}
            good={isLowerBetter(name) ? 'down' : 'up'}
            className="text-xs font-normal"
          />
        )}
      </span>
      {spread && (
        <span className="block truncate text-xs text-fg-3">{`± ${numberText(spread.deviation, isRate)} (n ${spread.count})`}</span>
      )}
    </span>
  )
}

export const Verdict = ({ isPassed }: { isPassed: boolean }) =>
  isPassed ? (
    <CircleCheck size={14} role="img" aria-label="Pass" className="text-green" />
  ) : (
    <CircleX size={14} role="img" aria-label="Fail" className="text-red" />
  )
