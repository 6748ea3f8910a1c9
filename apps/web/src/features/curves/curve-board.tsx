import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { CurveControls } from './curve-controls.tsx'
import { CurveFigure } from './curve-figure.tsx'
import type { CurveSearch } from './curve-search.ts'
import type { Series } from './series-lines.ts'

/** A metric with the series that have it. */
export interface CurveOfSeries {
  name: string
  series: readonly Series[]
}

interface Properties {
  curves: readonly CurveOfSeries[]
  view: CurveSearch
  onView: (changed: CurveSearch) => void
  selected: number | undefined
  onSelect: (step: number) => void
  /** Whether the points have times, so that the axis can show time. */
  hasTimes: boolean
  /** Another panel is next to the curves, so that there is room for two columns. */
  isNarrow?: boolean
  /** Further controls. */
  controls?: ReactNode
  /** A large chart before the curves. Default: the first curve is large. */
  lead?: ReactNode
}

/** Curves of several metrics with one cursor, one zoom and one set of choices. */
export function CurveBoard({ curves, view, onView, selected, onSelect, hasTimes, isNarrow = false, controls, lead }: Properties) {
  const [cursor, setCursor] = useState<number>()
  const { smooth, scale, axis, outliers, from, to } = view
  // Only the parts of the address that the lines depend on, so that selecting another step does not redraw them.
  const drawnAs = useMemo(() => ({ smooth, scale, axis, outliers, from, to }), [smooth, scale, axis, outliers, from, to])
  const latest = useRef({ onView, onSelect })
  latest.current = { onView, onSelect }
  const select = useCallback((step: number) => latest.current.onSelect(step), [])
  const zoom = useCallback((from: number, to: number) => latest.current.onView({ from, to }), [])
  const draw = ({ name, series }: CurveOfSeries, isLarge: boolean) => (
    <CurveFigure
      key={name}
      name={name}
      series={series}
      view={drawnAs}
      isLarge={isLarge}
      selected={selected}
      onSelect={select}
      cursor={cursor}
      onCursor={setCursor}
      onZoom={zoom}
    />
  )
  const [first, ...others] = curves
  const small = lead === undefined ? others : curves
  return (
    <>
      <CurveControls view={view} onView={onView} hasTimes={hasTimes} isNarrow={isNarrow}>
        {controls}
      </CurveControls>
      <div className="flex shrink-0 flex-col gap-3 p-4">
        {lead ?? (first && draw(first, true))}
        <div className={cx('grid grid-cols-1 gap-3', isNarrow ? 'lg:grid-cols-2' : 'md:grid-cols-2 xl:grid-cols-4')}>
          {small.map((curve) => draw(curve, false))}
        </div>
      </div>
    </>
  )
}
