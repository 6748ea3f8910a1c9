import { scaleLinear } from 'd3-scale'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { useSize } from '../lib/use-size.ts'
import { fitTicks, XAxis, YAxis } from './axis.tsx'
import type { Series } from './frame.tsx'
import { PointParts } from './parts.tsx'
import { ChartTip, TipRow } from './tip.tsx'
import { valueTicks } from './ticks.ts'

export interface DistributionProperties {
  label: string
  /** How many each series has in each bin, the series in their order. */
  bins: readonly (readonly number[])[]
  series: readonly Series[]
  height: number
  /** Ends of the axis, where bins are equally wide ranges of numbers. */
  x0?: number
  x1?: number
  format?: (n: number) => string
  /** Names of the bins, if each is a single value. */
  names?: readonly string[] | undefined
  marks?: readonly { at: number; color: string; dash?: string | undefined }[]
  unit?: string
  /** Called with the series and the bin that were pressed. */
  onPick?: (group: number, bin: number) => void
  picked?: { group: number; bin: number } | undefined
  /** Overlay of a bin, such as a button that shows its rows. It fills the bin's area. */
  part?: (bin: number) => ReactNode
}

const [left, top, footHeight] = [36, 8, 22]
/** Least distance of labels below bars, in pixels. */
const labelWidth = 56

/** Bars of a distribution, for one or more groups next to each other, with the middle of each marked. */
export function Distribution(properties: DistributionProperties) {
  const {
    label,
    bins,
    series,
    height,
    x0 = 0,
    x1 = 1,
    format = (n) => n.toFixed(1),
    names,
    marks,
    unit = 'rows',
    onPick,
    picked,
    part,
  } = properties
  const [ref, { width }] = useSize<HTMLDivElement>()
  const [at, setAt] = useState<number>()
  const [right, bottom] = [width - 8, height - footHeight]
  const count = Math.max(1, bins[0]?.length ?? 1)
  const y = scaleLinear([0, Math.max(...bins.flat(), 1)], [bottom, top]).nice(3)
  const x = scaleLinear([x0, x1], [left, right])
  const band = (right - left) / count
  const barWidth = Math.min(48, (band - 4) / bins.length)
  const start = (bin: number) => left + (bin + 0.5) * band - (barWidth * bins.length) / 2
  const titleOf = (bin: number) =>
    names?.[bin] ?? `${format(x0 + (bin / count) * (x1 - x0))} to ${format(x0 + ((bin + 1) / count) * (x1 - x0))}`
  const placeOf = ({ clientX, currentTarget }: Pick<PointerEvent, 'clientX' | 'currentTarget'>) => {
    const px = clientX - currentTarget.getBoundingClientRect().left
    const bin = Math.floor((px - left) / band)
    if (bin < 0 || bin >= count) return undefined
    return { bin, group: Math.max(0, Math.min(bins.length - 1, Math.floor((px - start(bin)) / barWidth))) }
  }
  const ticks = names
    ? fitTicks(
        names.map((_, bin) => bin),
        (right - left) / labelWidth,
      ).map((bin) => ({ at: left + (bin + 0.5) * band, text: names[bin] ?? '' }))
    : valueTicks(x, 5, format)
  return (
    <div ref={ref} className="relative" style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={label}
          className={onPick && 'cursor-pointer'}
          onPointerLeave={() => setAt(undefined)}
          onPointerMove={(event) => setAt(placeOf(event)?.bin)}
          onClick={(event) => {
            const place = placeOf(event)
            if (place) onPick?.(place.group, place.bin)
          }}
        >
          <YAxis left={left} right={right} ticks={valueTicks(y, 3, (tick) => tick.toLocaleString('en'), true)} />
          {at !== undefined && <rect x={left + at * band} y={top} width={band} height={bottom - top} fill="var(--active)" />}
          {bins.map((group, place) =>
            group.map(
              (value, bin) =>
                value > 0 && (
                  <rect
                    // Bins keep their order, so the index is a stable key.
                    key={`${place}-${bin}`}
                    x={start(bin) + place * barWidth}
                    y={y(value)}
                    width={Math.max(1, barWidth - 1)}
                    height={bottom - y(value)}
                    rx="1"
                    fill={series[place]?.color}
                    opacity={picked && (picked.group !== place || picked.bin !== bin) ? 0.35 : undefined}
                  />
                ),
            ),
          )}
          {marks?.map((mark, place) => (
            <line
              key={String(place)}
              x1={x(mark.at)}
              x2={x(mark.at)}
              y1={top}
              y2={bottom}
              stroke={mark.color}
              strokeWidth="1.5"
              strokeDasharray={mark.dash ?? '3 3'}
            />
          ))}
          <XAxis left={left} right={right} y={bottom} ticks={ticks} />
        </svg>
      )}
      {width > 0 && part && <PointParts count={count} part={part} left={left} band={band} top={top} height={bottom - top} />}
      {at !== undefined && (
        <ChartTip x={left + (at + 0.5) * band} width={width}>
          <div className="mb-1 text-fg-3">{titleOf(at)}</div>
          {series.map((one, group) => (
            <TipRow key={one.id} color={one.color} name={one.name} value={`${(bins[group]?.[at] ?? 0).toLocaleString('en')} ${unit}`} />
          ))}
        </ChartTip>
      )}
    </div>
  )
}
