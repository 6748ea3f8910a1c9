import { type ReactNode, useMemo, useState, useEffect } from 'react'
import type { AxisOffer, AxisRow, RangeEnds, AxisRange } from './axis.ts'
import type { AxesSearch } from './axes-search.ts'
import { axesView, maxLines, withUniqueNames } from './axes-view.ts'
import { AxesPlot } from './axes-plot.tsx'
import { AxisHeads } from './axis-heads.tsx'
import { toLine } from './axis-lines.ts'
import { isOpen, keptRows } from './axis-range.ts'
import { ChooseAxes } from './choose-axes.tsx'
import { ColourLegend } from './colour-legend.tsx'
import { KeptTable } from './kept-table.tsx'
import { useAxisDrag } from './use-axis-drag.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

interface Properties {
  /** Noun for a row, such as `run`; the plural adds an s. */
  noun: string
  rows: readonly AxisRow[]
  /** How many rows there are, in words; undefined where `rows` are all. */
  of: string | undefined
  offers: readonly AxisOffer[]
  /** Ids of the axes that are shown where the address names none. */
  usual: readonly string[]
  search: AxesSearch
  onChange: (part: AxesSearch) => void
  /** A link to a row. Must be a stable function while its links are the same. */
  link: (row: AxisRow) => ReactNode
  onOpen: (id: string) => void
  /** Actions on the matching rows. */
  actions?: (kept: readonly AxisRow[]) => ReactNode
}

/**
 * Rows as lines over parallel axes. Ranges of axes select the rows with values inside all of them; the rest fade, and the matching rows are listed in
 * a table as well. At most the first 500 rows are drawn, with a notice if there are more.
 */
export function ParallelCoordinates({ noun, rows, of, offers, usual, search, onChange, link, onOpen, actions }: Properties) {
  const drawn = useMemo(() => rows.slice(0, maxLines), [rows])
  const { chosen, setRanges, change } = useRanges(search, onChange)
  const { axes, colour, notices } = useMemo(() => axesView(chosen, { offers, rows: drawn, usual }), [chosen, offers, drawn, usual])
  const [marked, setMarked] = useState<string>()
  const drag = useAxisDrag(({ axis, ends }) => setRange(axis, ends))
  const { dragged } = drag
  const kept = useMemo(() => {
    const withDragged = axes.map((axis) => (axis.id === dragged?.axis ? { ...axis, range: { axis: axis.id, ...dragged.ends } } : axis))
    return keptRows(drawn, withDragged)
  }, [drawn, axes, dragged])
  const keptSet = useMemo(() => new Set(kept), [kept])
  const lines = useMemo(() => drawn.map((row) => toLine(row, axes)), [drawn, axes])
  const names = useMemo(() => withUniqueNames(offers), [offers])

  const rangesWith = (axis: string, ends: RangeEnds | undefined): AxisRange[] | undefined => {
    const others = axes.flatMap(({ range }) => (range && range.axis !== axis ? [range] : []))
    const ranges = ends && !isOpen(ends) ? [...others, { axis, ...ends }] : others
    return ranges.length > 0 ? ranges : undefined
  }
  const setRange = (axis: string, ends: RangeEnds | undefined) => setRanges(rangesWith(axis, ends))
  const setAxes = (ids: string[]) => {
    const ranges = axes.flatMap(({ id, range }) => (range && ids.includes(id) ? [range] : []))
    change({
      axes: ids,
      ranges: ranges.length > 0 ? ranges : undefined,
      ...(ids.includes(search.colour ?? '') ? {} : { colour: undefined }),
    })
  }
  const move = (id: string, place: number) => setAxes(axes.flatMap((axis) => (axis.id === id ? [] : [axis.id])).toSpliced(place, 0, id))

  const count = `${kept.length.toLocaleString('en')} of ${drawn.length.toLocaleString('en')} ${drawn.length === 1 ? noun : `${noun}s`} kept`
  return (
    <section aria-label={`${noun[0]?.toUpperCase()}${noun.slice(1)}s over axes`} className="flex flex-col gap-3">
      {notices.map((notice) => (
        <Notice key={notice} title={notice} />
      ))}
      {of !== undefined && <Notice title={`The newest ${drawn.length.toLocaleString('en')} of ${of} ${noun}s`} />}
      <div className="flex flex-wrap items-center gap-2">
        <ChooseAxes offers={names} axes={axes} onChange={setAxes} />
        {colour && <ColourLegend axes={axes} colour={colour} onChange={(id) => change({ colour: id })} />}
      </div>
      <div className="overflow-x-auto rounded-lg border border-line p-3" tabIndex={0} role="region" aria-label="Axes">
        <div style={{ minWidth: `${axes.length * 6.5}rem` }}>
          <AxisHeads axes={axes} onMove={move} />
          <AxesPlot
            axes={axes}
            colour={colour}
            lines={lines}
            kept={keptSet}
            label={`Lines of ${drawn.length.toLocaleString('en')} ${noun}s over ${axes.map(({ name }) => name).join(', ')}; the table below has their values`}
            drag={drag}
            marked={marked}
            onRange={setRange}
            onOpen={onOpen}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <span role="status" className="num font-medium">
          {count}
        </span>
        {axes.some(({ range }) => range) && <Button onClick={() => setRanges(undefined)}>Keep all</Button>}
        {actions?.(kept)}
        <span className="grow" />
        <span className="text-xs text-fg-3">{`Drag an axis, or ↑ ↓ on its ends, to keep a range. Click a line to open its ${noun}.`}</span>
      </div>
      <KeptTable axes={axes} rows={kept} noun={noun} link={link} onMark={setMarked} />
    </section>
  )
}

/** Ranges are written to the address once the keys rest: browsers reject addresses that change dozens of times a second. */
const restMs = 150

/** The search parameters, with the ranges chosen since. */
function useRanges(search: AxesSearch, onChange: (part: AxesSearch) => void) {
  const [pending, setPending] = useState<{ since: AxesSearch; ranges: AxisRange[] | undefined }>()
  const isPending = pending?.since === search
  useEffect(() => {
    if (!isPending) return
    const timer = setTimeout(() => onChange({ ranges: pending.ranges }), restMs)
    return () => clearTimeout(timer)
    // Only the latest choice counts, whichever function makes it.
  }, [pending, isPending])
  const chosen = useMemo(() => (isPending ? { ...search, ranges: pending.ranges } : search), [search, isPending, pending])
  return {
    chosen,
    setRanges: (ranges: AxisRange[] | undefined) => setPending({ since: search, ranges }),
    /** Changes something else of the address, with the ranges that are not yet in it. */
    change: (part: AxesSearch) => onChange({ ...(isPending && { ranges: pending.ranges }), ...part }),
  }
}
