import { useState } from 'react'
import { ChartTip, TipRow } from './tip.tsx'
import { useSize } from '../lib/use-size.ts'

const shade = (part: number) => `color-mix(in oklab, var(--s1) ${Math.round(8 + part * 84)}%, var(--sheet))`
export function HeatKey({ low, high }: { low: string; high: string }) {
  return (
    <span className="num flex items-center gap-1.5 text-xs text-fg-2">
      {low}
      <span aria-hidden className="flex gap-0.5">
        {[1, 2, 3, 4, 5, 6].map((n) => (
          <span key={n} className="size-2 rounded-xs" style={{ background: shade(n / 6) }} />
        ))}
      </span>
      {high}
    </span>
  )
}
/** Rows against columns; higher values are further from the surface. Its key is in the header of the frame. */
export function Heatmap({
  label,
  rows,
  columns,
  values,
  height,
  format = String,
  name,
  every = 3,
}: {
  label: string
  rows: string[]
  columns: string[]
  values: number[][]
  height: number
  format?: (n: number) => string
  name: string
  every?: number
}) {
  const [ref, { width }] = useSize<HTMLDivElement>()
  const [at, setAt] = useState<[number, number]>()
  const left = 40,
    right = width - 8,
    top = 4,
    bottom = height - 24
  const w = (right - left) / columns.length,
    h = (bottom - top) / rows.length
  const max = Math.max(...values.flat(), 1)
  const tint = (v: number) => shade(Math.ceil((v / max) * 6) / 6)
  return (
    <div ref={ref} className="relative" style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={label}
          onMouseLeave={() => setAt(undefined)}
          onMouseMove={(e) => {
            const c = Math.floor((e.nativeEvent.offsetX - left) / w),
              r = Math.floor((e.nativeEvent.offsetY - top) / h)
            setAt(c >= 0 && c < columns.length && r >= 0 && r < rows.length ? [r, c] : undefined)
          }}
        >
          {values.map((line, r) =>
            line.map((v, c) => (
              <rect
                key={`${r}-${c}`}
                x={left + c * w + 1}
                y={top + r * h + 1}
                width={Math.max(1, w - 2)}
                height={Math.max(1, h - 2)}
                rx="2"
                fill={tint(v)}
                stroke={at?.[0] === r && at[1] === c ? 'var(--fg)' : undefined}
                strokeWidth="1.5"
              />
            )),
          )}
          <g aria-hidden fontSize="11" fill="var(--fg-3)">
            {rows.map((t, r) => (
              <text key={t} x={left - 8} y={top + (r + 0.5) * h + 4} textAnchor="end">
                {t}
              </text>
            ))}
            {columns.map(
              (t, c) =>
                c % every === 0 && (
                  <text key={t} x={left + (c + 0.5) * w} y={bottom + 16} textAnchor="middle" className="num">
                    {t}
                  </text>
                ),
            )}
          </g>
        </svg>
      )}
      {at && (
        <ChartTip x={left + (at[1] + 0.5) * w} width={width}>
          <div className="mb-1 text-fg-3">
            {rows[at[0]]}, {columns[at[1]]}
          </div>
          <TipRow color={tint(values[at[0]]?.[at[1]] ?? 0)} name={name} value={format(values[at[0]]?.[at[1]] ?? 0)} />
        </ChartTip>
      )}
    </div>
  )
}
