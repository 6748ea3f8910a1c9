import { Download } from 'lucide-react'
import { memo, useMemo } from 'react'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { saveFile } from '../../lib/save-file.ts'
import { ChartFrame } from '../../plot/frame.tsx'
import { nearestTo } from '../../plot/line-data.ts'
import { Lines } from '../../plot/drawings.ts'
import { MenuItem } from '../../ui/menu.tsx'
import { CurveTable } from './curve-table.tsx'
import type { CurveAxis, CurveSearch } from './curve-search.ts'
import { placeText } from './curve-view.ts'
import { metricText, titleOfMetric } from './metric-name.ts'
import { drawSeries, type Series } from './series-lines.ts'
import { elapsedText, timeTicks } from './time-ticks.ts'

interface Properties {
  /** Name of the metric, on the wire. */
  name: string
  /** The first is that of the page; further ones are overlaid. */
  series: readonly Series[]
  view: CurveSearch
  /** The large one of a page, which names its lines. */
  isLarge: boolean
  /** The step that is shown next to the curves. */
  selected: number | undefined
  onSelect: (step: number) => void
  /** Where the pointer is, in all charts of the page. */
  cursor: number | undefined
  onCursor: (place: number | undefined) => void
  onZoom: (from: number, to: number) => void
}

const heights = { large: 248, small: 124 }
const axisNames: Readonly<Record<CurveAxis, string>> = { step: 'Step', relative: 'Elapsed', clock: 'Time' }
/** Ticks of an axis of time, at most: there may be fewer where they do not fit. */
const timeTickCount = { large: 8, small: 3 }

/** A metric over steps or time, with the value at the cursor in its head. */
export const CurveFigure = memo(function CurveFigure(properties: Properties) {
  const { name, series, view, isLarge, selected, onSelect, cursor, onCursor, onZoom } = properties
  const timeZone = useTimeZone()
  const axis = view.axis ?? 'step'
  const { lines, points, range } = useMemo(() => drawSeries(series, view), [series, view])
  const places = useMemo(() => points.map(({ place }) => place), [points])
  const selectedPlace = points.find(({ step }) => step === selected)?.place
  const at = nearestTo(places, cursor ?? selectedPlace ?? Number.POSITIVE_INFINITY)
  const point = at === undefined ? undefined : points[at]
  const own = lines[0]
  const strong = at === undefined ? undefined : (own?.smooth?.[at] ?? own?.values[at])
  const all = series[0]?.points.length ?? 0
  const title = titleOfMetric(name)
  const size = isLarge ? 'large' : 'small'
  const text = (value: number, most?: number) => metricText(name, value, most)
  const placed = (place: number) => placeText(place, { axis, timeZone })
  return (
    <ChartFrame
      title={title}
      value={
        strong !== undefined && (
          <>
            {text(strong)}
            {(isLarge || cursor !== undefined) && point && <span className="ml-1 text-xs text-fg-3">at {placed(point.place)}</span>}
          </>
        )
      }
      note={[
        points.length < all && `${points.length.toLocaleString('en')} of ${all.toLocaleString('en')} steps`,
        range && range.leftOut > 0 && `${range.leftOut.toLocaleString('en')} out of range`,
      ]
        .filter((part) => part !== false && part !== undefined)
        .join(', ')}
      height={heights[size]}
      state={range ? 'ready' : 'empty'}
      table={() => <CurveTable name={title} points={points} />}
      menu={
        <MenuItem icon={Download} onClick={() => saveFile({ name: `${name}.csv`, type: 'text/csv', text: csvOf(name, series) })}>
          Download CSV
        </MenuItem>
      }
    >
      <Lines
        label={summaryOf(title, points, range, text)}
        height={heights[size]}
        yTicks={isLarge ? 4 : 3}
        gutter={48}
        series={lines}
        min={range?.low}
        max={range && range.high > range.low ? range.high : undefined}
        log={view.scale === 'log'}
        format={text}
        tipLabel={placed}
        xLabel={
          axis === 'step' ? (place) => place.toLocaleString('en') : axis === 'relative' ? (place) => elapsedText(place * 1_000) : placed
        }
        {...(axis !== 'step' && { xTicks: ticksOf(places, axis, timeTickCount[size]) })}
        {...(isLarge && { xName: axisNames[axis] })}
        endLabels={isLarge && lines.length > 1}
        hover={cursor ?? selectedPlace}
        onHover={onCursor}
        onPick={(place) => {
          const near = nearestTo(places, place)
          const step = near === undefined ? undefined : points[near]?.step
          if (step !== undefined) onSelect(step)
        }}
        onBrush={onZoom}
      />
    </ChartFrame>
  )
})

function ticksOf(places: readonly number[], axis: CurveAxis, most: number): number[] {
  const [first = 0, last = 0] = [places[0], places.at(-1)]
  if (axis === 'clock') return timeTicks(first, last, most)
  return timeTicks(first * 1_000, last * 1_000, most).map((ms) => ms / 1_000)
}

function summaryOf(
  title: string,
  points: readonly { step: number; value: number }[],
  range: { low: number; high: number } | undefined,
  text: (value: number) => string,
): string {
  const [first, last] = [points[0], points.at(-1)]
  if (!range || !first || !last) return `${title}: no values`
  const steps = first === last ? `step ${first.step}` : `${points.length.toLocaleString('en')} steps from ${first.step} to ${last.step}`
  return `${title} over ${steps}: last ${text(last.value)}, from ${text(range.low)} to ${text(range.high)}`
}

/** All points, with a column for each series. */
function csvOf(name: string, series: readonly Series[]): string {
  const steps = [...new Set(series.flatMap(({ points }) => points.map(({ step }) => step)))].toSorted((one, other) => one - other)
  const valuesOf = series.map(({ points }) => new Map(points.map(({ step, value }) => [step, value])))
  const rows = steps.map((step) => [step, ...valuesOf.map((values) => values.get(step) ?? '')].join(','))
  return [['step', ...series.map(({ label }) => `${name} (${label})`)].map(quoted).join(','), ...rows, ''].join('\n')
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
