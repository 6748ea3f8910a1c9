import type { ProjectName } from '../../../lib/use-project.ts'
import type { TimePart } from '../../../features/charts/figure-over-time.tsx'
import type { Series } from '../../../plot/frame.tsx'
import { cellText, valueText } from './cell-text.ts'
import type { Chart } from '../../../features/dashboard-charts/chart.ts'
import type { Cell, ChartData, ChartSeries } from '../../../features/dashboard-charts/chart-data.ts'
import { linkOfValue } from '../../../features/dashboard-charts/chart-link.ts'

/** A part of a range with the value of each series. */
export interface ChartPart extends TimePart {
  cells: readonly Cell[]
}

/** Whether there is something to look at behind a value. */
export const hasRows = ({ measure }: Pick<Chart, 'measure'>, { value, of }: Cell) =>
  measure === 'errors' || measure === 'error_rate' ? (value ?? 0) > 0 : of > 0

/** Whether a chart has nothing to show. */
export const isEmptyChart = ({ series }: ChartData) => series.every(({ cells }) => cells.every(({ of }) => of === 0))

/** The parts of a range as they are drawn, each with what leads to its rows. */
export function toChartParts(chart: Chart, { times, series }: ChartData, project: ProjectName): ChartPart[] {
  return times.map((time, at) => {
    const cells = series.map((one) => one.cells[at] ?? { value: null, of: 0 })
    return {
      ...time,
      cells,
      values: cells.map(({ value }) => value),
      text: partText(chart, series, cells),
      link: linkOfValue(project, chart, time),
      isEmpty: !cells.some((cell) => hasRows(chart, cell)),
    }
  })
}

/** How the series of a chart are drawn. What failed is red. */
export function toSeries({ measure, by }: Pick<Chart, 'measure' | 'by'>, series: readonly ChartSeries[]): Series[] {
  const isOfFailures = by === null && (measure === 'errors' || measure === 'error_rate')
  return series.map(({ name }, at) => ({ id: String(at), name, ...(isOfFailures ? { color: 'var(--red)' } : seriesStyle(at)) }))
}

function partText(chart: Chart, series: readonly ChartSeries[], cells: readonly Cell[]): string {
  if (chart.by === null) return cells[0] === undefined ? 'no data' : cellText(chart, cells[0])
  const known = series.flatMap(({ name }, place) => {
    const cell = cells[place]
    return cell === undefined || cell.of === 0 ? [] : [`${name}: ${cellText(chart, cell)}`]
  })
  return known.length === 0 ? 'no data' : known.join(', ')
}

/** Where the axis of lines begins: at 0, but for values of feedback that are numbers. */
export function leastOf(chart: Pick<Chart, 'feedback'>, { series }: Pick<ChartData, 'series'>): number {
  const values = series.flatMap(({ cells }) => cells.flatMap(({ value }) => value ?? []))
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY)
  if (!Number.isFinite(least)) return 0
  return chart.feedback?.isRate === false ? least : Math.min(0, least)
}

/** Description of a chart over time. */
export function captionOf(chart: Chart, { series }: ChartData, parts: readonly ChartPart[]): string {
  const values = series.flatMap(({ cells }) => cells.flatMap(({ value }) => value ?? []))
  if (values.length === 0) return 'No data in this range.'
  const drawn = chart.form === 'bars' ? parts.map((part) => part.values.reduce((sum: number, value) => sum + (value ?? 0), 0)) : values
  const last = chart.by === null ? series[0]?.cells.findLast(({ value }) => value !== null) : undefined
  const [lowest, highest] = [Math.min(...drawn), Math.max(...drawn)].map((value) => valueText(chart, value))
  const lastText = last === undefined ? '' : `; the last is ${cellText(chart, last)}`
  return `From ${lowest} to ${highest}${lastText}.`
}

const dashes = [undefined, '5 3', '2 3', '8 3 2 3', '1 4', '12 4', '5 2 1 2', '3 6']

/** Style of a series, by its index among at most eight: no two differ only in color. */
function seriesStyle(at: number): { color: string; dash?: string } {
  const dash = dashes[at]
  return { color: `var(--s${Math.min(8, at + 1)})`, ...(dash !== undefined && { dash }) }
}
