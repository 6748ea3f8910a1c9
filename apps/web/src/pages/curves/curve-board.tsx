import { useMemo, useState } from 'react'
import { LineSwatch } from '../../components/series/line-swatch.tsx'
import { CurveChart } from './curve-chart.tsx'
import { CurveControls } from './curve-controls.tsx'
import type { CurveSearch } from './curve-view.ts'
import type { Series } from './draw-series.ts'

/** A metric with the series that have it. */
export interface CurveOfSeries {
  name: string
  series: readonly Series[]
}

interface Properties {
  groups: readonly { title: string; curves: readonly CurveOfSeries[] }[]
  view: CurveSearch
  onView: (changed: CurveSearch) => void
  selected: number | undefined
  onSelect: (step: number) => void
  /** Whether the points have times, so that they can stand by them. */
  hasTimes: boolean
}

/** Curves of several metrics with one cursor, one zoom and one set of choices. */
export function CurveBoard({ groups, view, onView, selected, onSelect, hasTimes }: Properties) {
  const [cursor, setCursor] = useState<number>()
  const { smooth, scale, axis, outliers, from, to } = view
  // Of the address alone what the lines depend on: they are not drawn anew for another step.
  const drawnAs = useMemo(() => ({ smooth, scale, axis, outliers, from, to }), [smooth, scale, axis, outliers, from, to])
  const labels = [...new Set(groups.flatMap(({ curves }) => curves.flatMap(({ series }) => series.map(({ label }) => label))))]
  return (
    <>
      <CurveControls view={view} onView={onView} hasTimes={hasTimes} />
      {labels.length > 1 && (
        <ul className="curve-legend" aria-label="Jobs that are drawn">
          {labels.map((label, at) => (
            <li key={label}>
              <LineSwatch at={at} /> {label}
            </li>
          ))}
        </ul>
      )}
      {groups.map(({ title, curves }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <div className="curves">
            {curves.map(({ name, series }) => (
              <CurveChart
                key={name}
                name={name}
                series={series}
                view={drawnAs}
                selected={selected}
                onSelect={onSelect}
                cursor={cursor}
                onCursor={setCursor}
                onZoom={(from, to) => onView({ from, to })}
              />
            ))}
          </div>
        </section>
      ))}
    </>
  )
}
