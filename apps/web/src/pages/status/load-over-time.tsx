import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../lib/server/client.ts'
import { formatDuration, shortDuration } from '../../lib/time/duration.ts'
import { FigureOverTime, type TimePart } from '../../features/charts/figure-over-time.tsx'
import type { Series } from '../../plot/frame.tsx'
import type { TickFormat } from '../../plot/ticks.ts'
import { PendingBlock } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { type Load, type LoadPart, loadParts } from './load-parts.ts'
import { type LoadRange, loadSteps } from './load-ranges.ts'

/** The server counts by minute. */
const refreshMs = 60_000
const height = 132

const loadQuery = (range: LoadRange) => {
  const { minutes, step } = loadSteps[range]
  return queryOptions({
    queryKey: ['server-load', range],
    queryFn: async ({ signal }) =>
      loadParts(await client.service.history({ minutes, step_minutes: step }, { signal }), minutes, Date.now()),
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
}

interface LoadSeries extends Series {
  of: (load: Load) => number | null
}

interface LoadChart {
  title: string
  unit?: string
  form: 'bars' | 'line'
  series: readonly LoadSeries[]
  format: TickFormat
  tip?: (value: number) => string
  /** Description of one value for screen readers: the total of counts, or the highest of levels. */
  says: (values: readonly number[]) => string
}

const whole = (count: number) => count.toLocaleString('en')
const total = (values: readonly number[]) => whole(values.reduce((sum, value) => sum + value, 0))
const oneDigit = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 1 })
const mebibyte = 2 ** 20
const gibibyte = 2 ** 30
const mebibytes = (value: number) => `${oneDigit(value)} MiB`
const gibibytes = (value: number) => `${oneDigit(value)} GiB`
const highest = (format: (value: number) => string) => (values: readonly number[]) => `at most ${format(Math.max(0, ...values))}`

const charts: readonly LoadChart[] = [
  {
    title: 'Ingest',
    unit: 'spans',
    form: 'bars',
    series: [
      { id: 'spans', name: 'Stored', color: 'var(--s1)', of: ({ spans }) => spans },
      { id: 'refused', name: 'Refused', color: 'var(--red)', of: ({ refusedSpans }) => refusedSpans },
    ],
    format: whole,
    says: total,
  },
  {
    title: 'Requests',
    form: 'bars',
    series: [
      { id: 'answered', name: 'Answered', color: 'var(--s1)', of: ({ answered }) => answered },
      { id: 'invalid', name: 'Invalid', color: 'var(--s8)', of: ({ invalid }) => invalid },
      { id: 'refused', name: 'Refused by a limit', color: 'var(--amber)', of: ({ refused }) => refused },
      { id: 'failed', name: 'Failed', color: 'var(--red)', of: ({ failed }) => failed },
    ],
    format: whole,
    says: total,
  },
  {
    title: 'Response time',
    unit: 'p95',
    form: 'line',
    series: [{ id: 'p95', name: 'p95', color: 'var(--s1)', of: ({ p95Ms }) => p95Ms }],
    format: shortDuration,
    tip: formatDuration,
    says: highest(formatDuration),
  },
  {
    title: 'Jobs',
    form: 'line',
    series: [
      { id: 'running', name: 'Running', color: 'var(--s1)', of: ({ running }) => running },
      { id: 'queued', name: 'Waiting', color: 'var(--s2)', dash: '5 3', of: ({ queued }) => queued },
    ],
    format: whole,
    says: highest(whole),
  },
  {
    title: 'Memory',
    unit: 'without the engine',
    form: 'line',
    series: [{ id: 'memory', name: 'Memory', color: 'var(--s1)', of: ({ memoryBytes }) => memoryBytes / mebibyte }],
    format: mebibytes,
    says: highest(mebibytes),
  },
  {
    title: 'Free disk',
    form: 'line',
    series: [{ id: 'free', name: 'Free', color: 'var(--s1)', of: ({ freeBytes }) => freeBytes && freeBytes / gibibyte }],
    format: gibibytes,
    says: (values) => `at least ${gibibytes(Math.min(...values))}`,
  },
]

/** Load of the server over time, as it counted it since it started. */
export function LoadOverTime({ range }: { range: LoadRange }) {
  const query = useQuery(loadQuery(range))
  return (
    <ShowQuery query={query} what="the load of the server" pending={<PendingBlock what="load over time" className="h-96" />}>
      {(parts) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
          {charts.map((chart) => (
            <Chart key={chart.title} chart={chart} parts={parts} step={loadSteps[range].step} />
          ))}
        </div>
      )}
    </ShowQuery>
  )
}

interface Part extends TimePart {
  texts: readonly string[]
}

function Chart({ chart, parts, step }: { chart: LoadChart; parts: readonly LoadPart[]; step: number }) {
  const { title, unit, form, series, format, tip = format, says } = chart
  const drawn = useMemo(
    () =>
      parts.map(({ load, ...time }): Part => {
        const values = series.map(({ of }) => (load === null ? null : of(load)))
        const texts = values.map((value) => (value === null ? '–' : tip(value)))
        return { ...time, values, texts, text: texts.join(', ') }
      }),
    [parts, series, tip],
  )
  const isEmpty = drawn.every(({ values }) => values.every((value) => value === null))
  const sayOf = (values: readonly number[]) => (values.length === 0 ? 'no data' : says(values))
  const all = series.map(({ name }, at) => `${name}: ${sayOf(drawn.flatMap(({ values }) => values[at] ?? []))}`)
  const perStep = form === 'bars' ? `per ${step === 1 ? 'minute' : `${step} min`}` : undefined
  return (
    <FigureOverTime<Part>
      title={title}
      note={[unit, perStep].filter((part) => part !== undefined).join(' ')}
      series={series}
      parts={drawn}
      height={height}
      caption={`${title}. ${all.join('. ')}.`}
      format={format}
      tip={tip}
      form={form}
      columns={series.map(({ name }, at) => ({ title: name, cell: ({ texts }) => texts[at] }))}
      isEmpty={isEmpty}
    />
  )
}
