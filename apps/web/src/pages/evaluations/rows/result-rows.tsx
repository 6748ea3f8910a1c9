import { Link } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { readableName } from '../../../components/readable-name.ts'
import { toCell } from '../../../components/to-text.ts'
import { useRows } from '../../../components/use-rows.ts'
import { type ComparedRuns, type MatrixRow, type RunCell, spreadInCell, valuesInRow } from '../compared-runs.ts'
import { changeText, numberText } from '../charts/number-text.ts'

const rowHeight = 34
const rowWidth = 220
const outputWidth = 200
const measureWidth = 150
/** Where trials are folded to their mean, spread and number. */
const foldedWidth = 260

interface Properties {
  /** What tells the runs apart, in the order of their columns. */
  runs: readonly string[]
  compared: ComparedRuns
  rows: readonly MatrixRow[]
  /** Measures that have a column in each run. */
  names: readonly string[]
  /** By which rows are chosen and ordered. A click on the head of another one chooses that. */
  measure?: { name: string; onChange: (name: string) => void }
  /** Digest of the row that is shown below. */
  selected: string | undefined
  onSelect: (digest: string) => void
}

/** Rows of the dataset, with a group of columns for each run. Only the rows in sight are in the page. */
export function ResultRows({ runs, compared, rows, names, measure, selected, onSelect }: Properties) {
  const scroller = useRef<HTMLDivElement>(null)
  const chosen = useMemo(() => rows.findIndex(({ row }) => row.row_digest === selected), [rows, selected])
  const { virtual, onKeyDown } = useRows({
    count: rows.length,
    rowHeight,
    headHeight: rowHeight,
    scroll: scroller,
    chosen,
    onChoose: (at) => onSelect(rows[at]!.row.row_digest),
  })
  const isFolded = useMemo(() => rows.some(({ cells }) => cells.some((cell) => cell !== undefined && cell.trials.length > 1)), [rows])
  const widthOfMeasure = isFolded ? foldedWidth : measureWidth
  const widths = [rowWidth, ...runs.flatMap(() => [outputWidth, ...names.map(() => widthOfMeasure)])]
  const columns = widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' ')
  const width = `max(100%, ${widths.reduce((sum, one) => sum + one, 0)}px)`
  const isFirst = (run: number) => runs.length === 1 || run === 0
  return (
    <div
      ref={scroller}
      className="grid-rows pinning"
      role="table"
      aria-label="Rows of the dataset"
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className="grid-head" style={{ width }}>
        <div
          role="row"
          aria-rowindex={1}
          style={{ display: 'grid', gridTemplateColumns: columns, height: rowHeight, alignItems: 'center' }}
        >
          <div role="columnheader" className="grid-cell pinned">
            Row
          </div>
          {runs.map((run, at) => [
            <div role="columnheader" className="grid-cell" key={run} title={readableName(run)}>
              {runs.length > 1 ? `${at + 1}. ${run}` : 'Output'}
            </div>,
            ...names.map((name) => (
              <div
                role="columnheader"
                className="grid-cell number"
                key={`${run} ${name}`}
                title={runs.length > 1 ? `${readableName(name)} of ${readableName(run)}` : readableName(name)}
                aria-sort={measure?.name === name ? 'other' : undefined}
              >
                {measure && measure.name !== name ? (
                  <button type="button" className="as-link" onClick={() => measure.onChange(name)}>
                    {name}
                  </button>
                ) : (
                  name
                )}
              </div>
            )),
          ])}
        </div>
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: virtual.getTotalSize(), width }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]
          if (!row) return null
          const digest = row.row.row_digest
          const valuesOfRow = names.map((name) => valuesInRow(compared.runs, name, row.place))
          return (
            <div
              key={digest}
              role="row"
              aria-rowindex={index + 2}
              className={digest === selected ? 'grid-row chosen' : 'grid-row'}
              style={{ top: start, gridTemplateColumns: columns, width }}
            >
              <div role="cell" className="grid-cell pinned">
                <Link to="." search={(before: object) => ({ ...before, row: digest })} replace>
                  {toCell(row.row.raw_data_row ?? digest, 60)}
                </Link>
              </div>
              {runs.map((run, at) => [
                <div role="cell" className="grid-cell" key={run}>
                  {outputText(row, at)}
                </div>,
                ...names.map((name, column) => {
                  const values = valuesOfRow[column] ?? []
                  const isRate = compared.runs[at]?.measures.get(name)?.isRate ?? false
                  const [value, before] = [values[at] ?? Number.NaN, values[0] ?? Number.NaN]
                  return (
                    <div role="cell" className="grid-cell number" key={`${run} ${name}`}>
                      {numberText(value, isRate)}
                      {spreadText(row.cells[at], name, isRate)}
                      {!isFirst(at) && !Number.isNaN(value - before) && ` ${changeText(value - before, isRate)}`}
                    </div>
                  )
                }),
              ])}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function outputText({ cells }: MatrixRow, run: number): string {
  const cell = cells[run]
  if (!cell) return 'not in this run'
  if (cell.failed === cell.trials.length) return '⚠ no output'
  const text = toCell(cell.trials.find(({ model_output }) => model_output !== null)?.model_output, 80)
  return cell.trials.length > 1 ? `${text} (${cell.trials.length} trials${cell.failed > 0 ? `, ${cell.failed} without output` : ''})` : text
}

/** How far the trials of a row are apart, with their number; empty where there is one. */
function spreadText(cell: RunCell | undefined, name: string, isRate: boolean): string {
  const spread = spreadInCell(cell, name)
  return spread ? ` ± ${numberText(spread.deviation, isRate)} (n ${spread.count})` : ''
}
