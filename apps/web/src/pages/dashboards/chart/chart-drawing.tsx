import { costSourceText } from '@heddle/trace-model'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { rangeTitles, type TimeRange } from '../../../lib/time/time-range.ts'
import { useProject } from '../../../lib/use-project.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { Time } from '../../../ui/time/time.tsx'
import { FigureOverTime, type PartColumn, RowsLink } from '../../../features/charts/figure-over-time.tsx'
import { Spark } from '../../../plot/spark.tsx'
import { Swatch } from '../../../plot/tip.tsx'
import { chartQuery } from '../../../features/dashboard-charts/chart-query.ts'
import { useTimeZone } from '../../../lib/time/use-time-zone.ts'
import { groupingTitles } from '../../../features/costs/costs-search.ts'
import { type ListColumn, ListTable } from '../../../ui/list-table.tsx'
import { axisText, cellText, isCount, valueText } from './cell-text.ts'
import { type Chart, isUsage, measureTitles } from '../../../features/dashboard-charts/chart.ts'
import { ChartBox } from './chart-box.tsx'
import type { Cell, ChartData, ChartSeries } from '../../../features/dashboard-charts/chart-data.ts'
import { type ChartTime, linkOfValue } from '../../../features/dashboard-charts/chart-link.ts'
import { captionOf, type ChartPart, hasRows, isEmptyChart, leastOf, toChartParts, toSeries } from './chart-parts.ts'
import { isOfUses, isOfWhole } from '../../../features/dashboard-charts/chart-request.ts'
import { textColumn } from '../../../ui/table/column-kinds.tsx'

export const chartHeight = 190

interface Properties {
  chart: Chart
  data: ChartData
  range: TimeRange
  /** The whole time range. */
  time: ChartTime
  /** In its head. */
  actions?: ReactNode
  /** Under it. */
  below?: ReactNode
}

/** A chart in its form, with its omissions. Each value links to its data. */
export function ChartDrawing(properties: Properties) {
  const { chart, data, actions, below } = properties
  const notes = (
    <>
      <LeftOut chart={chart} data={data} />
      {below}
    </>
  )
  if (chart.form === 'number' || chart.form === 'table') {
    return (
      <ChartBox chart={chart} actions={actions}>
        {isEmptyChart(data) ? (
          <p className="px-4 pb-4 text-fg-3">No data in this range</p>
        ) : chart.form === 'number' ? (
          <NumberOfRange {...properties} />
        ) : isOfWhole(chart) ? (
          <GroupsOfRange {...properties} />
        ) : (
          <TableOverTime {...properties} />
        )}
        {notes}
      </ChartBox>
    )
  }
  return <OverTime {...properties} below={notes} />
}

/** Groups that are not drawn, uses that have no price, and where costs are from that are not at the prices of their models' own names. */
function LeftOut({ chart, data: { leftOut, unpriced, costSource } }: { chart: Chart; data: ChartData }) {
  const isUnpriced = chart.measure === 'cost' && unpriced > 0
  const source = chart.measure === 'cost' ? costSourceText(costSource) : undefined
  if (leftOut === 0 && !isUnpriced && source === undefined) return null
  const least = isOfUses(chart) ? 'lower totals' : isUsage(chart.measure) ? 'fewer tokens' : 'fewer calls'
  const texts = [
    ...(leftOut > 0 ? [`${leftOut.toLocaleString('en')} more with ${least}`] : []),
    ...(isUnpriced ? [`${countText(unpriced, 'call')} without a price`] : []),
    ...(source === undefined ? [] : [source]),
  ]
  return <p className="px-4 pb-3 text-xs text-fg-3">{texts.join(' · ')}</p>
}

function NumberOfRange({ chart, data: { series }, range, time }: Properties) {
  const project = useProject()
  const cell = series[0]?.cells[0]
  const course =
    useQuery(chartQuery(project.id, { ...chart, form: 'line' }, { range, timezone: useTimeZone() })).data?.series[0]?.cells ?? []
  const values = course.map(({ value }) => value ?? Number.NaN)
  if (cell === undefined) return null
  const text = cell.value === null ? cellText(chart, cell) : valueText(chart, cell.value)
  const ofText = cell.value === null || isCount(chart) ? '' : `of ${cell.of.toLocaleString('en')} `
  return (
    <div className="px-4 pb-4">
      <p className="num flex items-end justify-between gap-2 text-2xl font-semibold tracking-tight">
        {hasRows(chart, cell) ? (
          <Link {...linkOfValue(project, chart, time)} className="hover:underline">
            {text}
          </Link>
        ) : (
          <span>{text}</span>
        )}
        {values.some(Number.isFinite) && <Spark values={values} label={`${readableName(chart.title)} over time`} />}
      </p>
      <p className="num text-xs text-fg-3">{`${ofText}in the last ${rangeTitles[range]}`}</p>
    </div>
  )
}

/** Tables are as high as the other charts at most. */
const Scrolling = ({ children }: { children: ReactNode }) => (
  <div className="min-h-0 overflow-y-auto pb-2" style={{ maxHeight: chartHeight + 24 }}>
    {children}
  </div>
)

function GroupsOfRange({ chart, data: { series }, time }: Properties) {
  const columns = useMemo(
    (): ListColumn<ChartSeries>[] => [
      textColumn('name', chart.by === null ? '' : groupingTitles[chart.by], 'auto', ({ name }) => name),
      {
        id: 'value',
        title: measureTitles[chart.measure],
        width: '40%',
        align: 'right',
        cell: (one) => <CellLink chart={chart} series={one} cell={one.cells[0]} time={time} />,
      },
    ],
    [chart, time],
  )
  return (
    <Scrolling>
      <ListTable
        label={`${chart.title} by ${chart.by}`}
        rows={series}
        columns={columns}
        rowId={({ key }) => key ?? ''}
        minWidth={240}
        rowHeight={36}
      />
    </Scrolling>
  )
}

function TableOverTime({ chart, data }: Properties) {
  const project = useProject()
  const parts = useMemo(() => toChartParts(chart, data, project).toReversed(), [chart, data, project.entity, project.project])
  const columns = useMemo(
    (): ListColumn<ChartPart>[] => [
      { id: 'from', title: 'From', cell: ({ startedAt }) => <Time value={startedAt} /> },
      ...data.series.map((series, at): ListColumn<ChartPart> => ({
        id: String(at),
        title: series.name,
        align: 'right',
        cell: (part) => <CellLink chart={chart} series={series} cell={part.cells[at]} time={part} />,
      })),
    ],
    [chart, data.series],
  )
  return (
    <Scrolling>
      <ListTable label={chart.title} rows={parts} columns={columns} rowId={({ startedAt }) => startedAt} minWidth={240} rowHeight={32} />
    </Scrolling>
  )
}

function OverTime({ chart, data, time, actions, below }: Properties) {
  const project = useProject()
  const parts = useMemo(() => toChartParts(chart, data, project), [chart, data, project.entity, project.project])
  const series = useMemo(() => toSeries(chart, data.series), [chart, data.series])
  const columns = useMemo(() => columnsOf(chart, data.series), [chart, data.series])
  return (
    <FigureOverTime
      title={chart.title}
      parts={parts}
      series={series}
      hasLegend={false}
      height={chartHeight}
      caption={captionOf(chart, data, parts)}
      format={(value, most) => axisText(chart, value, most)}
      tip={(value) => valueText(chart, value)}
      least={leastOf(chart, data)}
      form={chart.form === 'line' ? 'line' : 'bars'}
      isEmpty={isEmptyChart(data)}
      actions={actions}
      below={
        <>
          {chart.by !== null && <GroupsLegend chart={chart} data={data} time={time} />}
          {below}
        </>
      }
      {...(columns && { columns })}
    />
  )
}

/** A column for each series; the usual one where the measure is not split. */
function columnsOf(chart: Chart, series: readonly ChartSeries[]): readonly PartColumn<ChartPart>[] | undefined {
  if (chart.by === null) return undefined
  return series.map((one, at) => ({
    title: `${at + 1}. ${one.name}`,
    cell: (part) => <CellLink chart={chart} series={one} cell={part.cells[at]} time={part} />,
  }))
}

/** A value of a group, which links to its data. */
function CellLink({ chart, series, cell, time }: Pick<Properties, 'chart' | 'time'> & { series: ChartSeries; cell: Cell | undefined }) {
  const project = useProject()
  if (cell === undefined) return null
  return <RowsLink link={hasRows(chart, cell) ? linkOfValue(project, chart, time, series) : undefined}>{cellText(chart, cell)}</RowsLink>
}

/** How each group is drawn. Its name leads to its calls. */
function GroupsLegend({ chart, data, time }: Pick<Properties, 'chart' | 'data' | 'time'>) {
  const project = useProject()
  const styles = toSeries(chart, data.series)
  return (
    <ul aria-label={`Groups of ${chart.title}`} className="flex flex-wrap gap-x-3 px-4 pb-2 text-xs text-fg-2">
      {data.series.map((one, at) => (
        <li key={one.key ?? ''} className="flex max-w-full items-center gap-1.5">
          <Swatch
            color={styles[at]?.color ?? ''}
            dash={chart.form === 'line' ? styles[at]?.dash : undefined}
            line={chart.form === 'line'}
          />
          <Link
            {...linkOfValue(project, chart, time, one)}
            data-cut=""
            data-tip={readableName(one.name)}
            className="inline-block min-w-6 truncate leading-6 hover:underline"
          >
            {one.name}
          </Link>
        </li>
      ))}
    </ul>
  )
}
