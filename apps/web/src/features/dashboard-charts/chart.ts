import { maxFilterCharacters } from '../filter/parse-filter.ts'
import { type Grouping, groupings } from '../costs/costs-search.ts'

/** Measures of charts. Percentiles are those of the calls' latency. */
export const measures = [
  'calls',
  'errors',
  'error_rate',
  'latency_p50',
  'latency_p95',
  'latency_p99',
  'tokens',
  'cost',
  'feedback',
] as const
export type Measure = (typeof measures)[number]

export const measureTitles: Record<Measure, string> = {
  calls: 'Calls',
  errors: 'Failed calls',
  error_rate: 'Error rate',
  latency_p50: 'Latency p50',
  latency_p95: 'Latency p95',
  latency_p99: 'Latency p99',
  tokens: 'Tokens',
  cost: 'Cost',
  feedback: 'Feedback value',
}

export const chartForms = ['line', 'bars', 'number', 'table'] as const
export type ChartForm = (typeof chartForms)[number]

export const formTitles: Record<ChartForm, string> = { line: 'Line', bars: 'Bars', number: 'Number', table: 'Table' }

/** A value that feedback of a type has in its payload. */
export interface FeedbackValue {
  type: string
  path: string
  /** Whether it is true or false, so that the chart shows how often it is true. Else it is a number, of which it shows the mean. */
  isRate: boolean
}

/** Definition of a chart, independent of its time. */
export interface Chart {
  /** Identifies a chart in its dashboard. */
  id: string
  title: string
  measure: Measure
  /** Which calls count: the roots of traces, or all. */
  level: 'roots' | 'all'
  /** A filter as the calls table has it; `''` for none. */
  filter: string
  /** Null: not split. */
  by: Grouping | null
  form: ChartForm
  /** Only of the measure `feedback`. */
  feedback: FeedbackValue | null
}

export const maxTitleLength = 120
/** Most characters of a type of feedback, and of a path in its payload, as limited by the server. */
const maxFeedbackLength = 1_000

/** Measures that can be summed over groups and parts of a time. */
export const additive: readonly Measure[] = ['calls', 'errors', 'tokens', 'cost']

export const isUsage = (measure: Measure): measure is 'tokens' | 'cost' => measure === 'tokens' || measure === 'cost'

/** Groupings by which a measure can be split. */
export function groupingsOf(measure: Measure): readonly Grouping[] {
  return measure === 'feedback' ? [] : groupings
}

/** Forms of a measure: bars are stacked if it is split, which requires a measure that can be summed. A number is the total. */
export function formsOf({ measure, by }: Pick<Chart, 'measure' | 'by'>): readonly ChartForm[] {
  const isSplit = by !== null
  return chartForms.filter(
    (form) => (form !== 'number' || !isSplit) && (form !== 'bars' || (measure !== 'feedback' && (!isSplit || additive.includes(measure)))),
  )
}

/** The chart without what its measure does not have. */
export function consistent(chart: Chart): Chart {
  const isFeedback = chart.measure === 'feedback'
  const by = chart.by !== null && groupingsOf(chart.measure).includes(chart.by) ? chart.by : null
  const forms = formsOf({ ...chart, by })
  return {
    ...chart,
    by,
    form: forms.includes(chart.form) ? chart.form : 'line',
    ...(isFeedback ? { filter: '', level: 'roots' as const } : { feedback: null }),
  }
}

/** Reads a stored chart. Undefined if it is invalid, or if this page cannot show it as intended. */
export function readChart(value: unknown): Chart | undefined {
  if (!isRecord(value)) return undefined
  const { id, title, filter = '' } = value
  const measure = wordIn(measures, value['measure'])
  const level = wordIn(['roots', 'all'] as const, value['level'] ?? 'roots')
  const by = value['by'] === null || value['by'] === undefined ? null : wordIn(groupings, value['by'])
  const form = wordIn(chartForms, value['form'])
  const feedback = measure === 'feedback' ? readFeedback(value['feedback']) : null
  if (!isText(id, 64) || id === '' || !isText(title, maxTitleLength) || !isText(filter, maxFilterCharacters)) return undefined
  if (measure === undefined || level === undefined || by === undefined || form === undefined || feedback === undefined) return undefined
  const chart = { id, title, measure, level, filter, by, form, feedback }
  return isSame(chart, consistent(chart)) ? chart : undefined
}

function readFeedback(value: unknown): FeedbackValue | undefined {
  if (!isRecord(value)) return undefined
  const { type, path, isRate } = value
  if (!isText(type, maxFeedbackLength) || !isText(path, maxFeedbackLength) || type === '' || path === '') return undefined
  return typeof isRate === 'boolean' ? { type, path, isRate } : undefined
}

/** A new chart, which counts traces. */
export const newChart = (id: string): Chart => ({
  id,
  title: '',
  measure: 'calls',
  level: 'roots',
  filter: '',
  by: null,
  form: 'bars',
  feedback: null,
})

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most
const wordIn = <const Word extends string>(words: readonly Word[], value: unknown) => words.find((word) => word === value)
