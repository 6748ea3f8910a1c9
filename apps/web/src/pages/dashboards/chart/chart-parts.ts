import type { ProjectName } from '../../../app/use-project.ts'
import type { TimePart } from '../../../components/bars-over-time/linked-bars.tsx'
import type { Line, ValueRange } from '../../../components/bars-over-time/line-paths.ts'
import { cellText, valueText } from './cell-text.ts'
import type { Chart } from './chart.ts'
import type { Cell, ChartData, ChartSeries } from './chart-data.ts'
import { linkOfValue } from './chart-link.ts'

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
  const isSplit = chart.by !== null
  return times.map((time, at) => {
    const cells = series.map((one) => one.cells[at] ?? { value: null, of: 0 })
    return {
      ...time,
      cells,
      sections: cells.map(({ value }, place) => ({ value: Math.max(0, value ?? 0), ...toneOf(chart, isSplit, place) })),
      text: partText(chart, series, cells),
      link: linkOfValue(project, chart, time),
      isEmpty: !cells.some((cell) => hasRows(chart, cell)),
    }
  })
}

function toneOf({ measure }: Chart, isSplit: boolean, place: number) {
  if (isSplit) return { tone: `series-${place}` as const }
  return measure === 'errors' || measure === 'error_rate' ? { tone: 'errors' as const } : {}
}

function partText(chart: Chart, series: readonly ChartSeries[], cells: readonly Cell[]): string {
  if (chart.by === null) return cells[0] === undefined ? 'no data' : cellText(chart, cells[0])
  const known = series.flatMap(({ name }, place) => {
    const cell = cells[place]
    return cell === undefined || cell.of === 0 ? [] : [`${name}: ${cellText(chart, cell)}`]
  })
  return known.length === 0 ? 'no data' : known.join(', ')
}

/** The lines of a chart, and between which values they are drawn: from 0, but for values of feedback that are numbers. */
export function toLines(chart: Chart, { series }: ChartData): { lines: Line[]; range: ValueRange } {
  const lines = series.map(({ cells }, place): Line => ({ tone: `series-${place}`, values: cells.map(({ value }) => value) }))
  const values = lines.flatMap((line) => line.values.filter((value) => value !== null))
  const least = Math.min(...values)
  const low = chart.feedback?.isRate === false ? least : Math.min(0, least)
  return { lines, range: { low, high: Math.max(low, ...values) } }
}

/** What a chart over time shows, in words. */
export function captionOf(chart: Chart, { series }: ChartData, parts: readonly ChartPart[]): string {
  const values = series.flatMap(({ cells }) => cells.flatMap(({ value }) => value ?? []))
  if (values.length === 0) return 'No part has a value.'
  const drawn = chart.form === 'bars' ? parts.map(({ sections }) => sections.reduce((sum, { value }) => sum + value, 0)) : values
  const last = chart.by === null ? series[0]?.cells.findLast(({ value }) => value !== null) : undefined
  const [lowest, highest] = [Math.min(...drawn), Math.max(...drawn)].map((value) => valueText(chart, value))
  const lastText = last === undefined ? '' : `; the last is ${cellText(chart, last)}`
  return `From ${lowest} to ${highest}${lastText}.`
}
