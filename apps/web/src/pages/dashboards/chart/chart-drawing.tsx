import '../dashboards.css'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { rangeTitles, type TimeRange } from '../../../app/time-range.ts'
import { useProject } from '../../../app/use-project.ts'
import { FigureOverTime, fromColumn, valueColumn } from '../../../components/bars-over-time/figure-over-time.tsx'
import { LinkedLines } from '../../../components/bars-over-time/linked-lines.tsx'
import { type GridColumn, RowsGrid } from '../../../components/rows-grid.tsx'
import { LineSwatch } from '../../../components/series/line-swatch.tsx'
import { cellText, isCount, valueText } from './cell-text.ts'
import { type Chart, isUsage, measureTitles } from './chart.ts'
import type { Cell, ChartData, ChartSeries } from './chart-data.ts'
import { type ChartTime, linkOfValue } from './chart-link.ts'
import { captionOf, type ChartPart, hasRows, isEmptyChart, toChartParts, toLines } from './chart-parts.ts'
import { isOfUses, isOfWhole } from './chart-request.ts'

const height = 120

interface Properties {
  chart: Chart
  data: ChartData
  range: TimeRange
  /** Of the whole range. */
  time: ChartTime
}

/** A chart in its form, with what it leaves out. Each value leads to what is behind it. */
export function ChartDrawing(properties: Properties) {
  const { chart, data, range } = properties
  if (isEmptyChart(data)) return <p className="muted">{`${emptyText(chart)} in the last ${rangeTitles[range]}.`}</p>
  return (
    <>
      {isOfWhole(chart) ? <WholeRange {...properties} /> : <OverTime {...properties} />}
      {data.leftOut > 0 && <p className="notice">{leftOutText(chart, data.leftOut)}</p>}
      {chart.measure === 'cost' && data.unpriced > 0 && (
        <p className="muted">{`${data.unpriced.toLocaleString('en')} uses of models without a known price do not count.`}</p>
      )}
    </>
  )
}

function leftOutText(chart: Chart, count: number): string {
  const least = isOfUses(chart) ? 'the least' : isUsage(chart.measure) ? 'the fewest tokens' : 'the fewest calls'
  return `${count === 1 ? 'One more group is' : `${count.toLocaleString('en')} more groups are`} left out: with ${least}.`
}

function emptyText({ measure, level }: Chart): string {
  if (measure === 'feedback') return 'No such value was given'
  if (measure === 'tokens' || measure === 'cost') return 'No tokens were used'
  return level === 'all' ? 'No such call started' : 'No such trace started'
}

function WholeRange({ chart, data: { series }, range, time }: Properties) {
  const project = useProject()
  const columns = useMemo(
    (): GridColumn<ChartSeries>[] => [
      { title: chart.by ?? '', rem: 10, grow: 3, hint: ({ name }) => name, cell: ({ name }) => name },
      {
        title: measureTitles[chart.measure],
        rem: 8,
        grow: 2,
        cell: (one) => <CellLink chart={chart} series={one} cell={one.cells[0]} time={time} />,
      },
    ],
    [chart, time],
  )
  const [first] = series
  if (chart.form === 'table')
    return <RowsGrid label={`${chart.title} by ${chart.by}`} rows={series} columns={columns} keyOf={({ key }) => key ?? ''} />
  const cell = first?.cells[0]
  if (cell === undefined) return null
  const text = cell.value === null ? cellText(chart, cell) : valueText(chart, cell.value)
  const ofText = cell.value === null || isCount(chart) ? '' : `of ${cell.of.toLocaleString('en')} `
  return (
    <p>
      {hasRows(chart, cell) ? (
        <Link {...linkOfValue(project, chart, time)} className="chart-number">
          {text}
        </Link>
      ) : (
        <span className="chart-number">{text}</span>
      )}{' '}
      <span className="muted">{`${ofText}in the last ${rangeTitles[range]}`}</span>
    </p>
  )
}

function OverTime({ chart, data, time }: Properties) {
  const project = useProject()
  const parts = useMemo(() => toChartParts(chart, data, project), [chart, data, project.entity, project.project])
  const columns = useMemo(() => columnsOf(chart, data.series), [chart, data.series])
  if (chart.form === 'table')
    return (
      <RowsGrid label={chart.title} rows={parts.toReversed()} columns={[fromColumn, ...columns]} keyOf={({ startedAt }) => startedAt} />
    )
  return (
    <>
      <FigureOverTime
        name={chart.title}
        parts={parts}
        height={height}
        caption={captionOf(chart, data, parts)}
        columns={columns}
        {...(chart.form === 'line' && { drawing: <LinkedLines parts={parts} {...toLines(chart, data)} height={height} /> })}
      />
      {chart.by !== null && <Legend chart={chart} series={data.series} time={time} />}
    </>
  )
}

/** A column for each series; one for all where the measure is not split. */
function columnsOf(chart: Chart, series: readonly ChartSeries[]): readonly GridColumn<ChartPart>[] {
  if (chart.by === null) return valueColumn
  return series.map((one, at) => ({
    title: `${at + 1}. ${one.name}`,
    rem: 9,
    grow: 2,
    cell: (part) => <CellLink chart={chart} series={one} cell={part.cells[at]} time={part} />,
  }))
}

/** A value of a group, which leads to what is behind it. */
function CellLink({ chart, series, cell, time }: Pick<Properties, 'chart' | 'time'> & { series: ChartSeries; cell: Cell | undefined }) {
  const project = useProject()
  if (cell === undefined) return null
  const text = cellText(chart, cell)
  return hasRows(chart, cell) ? <Link {...linkOfValue(project, chart, time, series)}>{text}</Link> : text
}

/** How each group is drawn. Its name leads to its calls. */
function Legend({ chart, series, time }: Pick<Properties, 'chart' | 'time'> & { series: readonly ChartSeries[] }) {
  const project = useProject()
  return (
    <ul className="curve-legend chart-legend" aria-label={`Groups of ${chart.title}`}>
      {series.map((one, at) => (
        <li key={one.key ?? ''}>
          {chart.form === 'line' ? (
            <LineSwatch at={at} />
          ) : (
            <span className={`series-swatch time-bar-part series-${at}`} aria-hidden="true" />
          )}{' '}
          <Link {...linkOfValue(project, chart, time, one)}>{one.name}</Link>
        </li>
      ))}
    </ul>
  )
}
