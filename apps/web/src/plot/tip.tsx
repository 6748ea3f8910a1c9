import type { ReactNode } from 'react'

export function Swatch({ color, dash, line }: { color: string; dash?: string | undefined; line?: boolean }) {
  return dash !== undefined || line ? (
    <svg width="16" height="8" aria-hidden>
      <line x1="0" x2="16" y1="4" y2="4" stroke={color} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  ) : (
    <span aria-hidden className="size-2 rounded-xs" style={{ background: color }} />
  )
}
/** The box that follows the pointer. It repeats the table, so it is hidden from assistive technology. */
export function ChartTip({ x, width, children, top = 4 }: { x: number; width: number; children: ReactNode; top?: number }) {
  const right = x > width - 190
  return (
    <div
      aria-hidden
      className="pop pointer-events-none absolute z-20 min-w-36 px-2.5 py-2 text-xs"
      style={{ top, left: right ? undefined : x + 12, right: right ? width - x + 12 : undefined }}
    >
      {children}
    </div>
  )
}
export function TipRow(row: { color?: string; dash?: string | undefined; line?: boolean; name: string; value: ReactNode }) {
  const { color, dash, line = false, name, value } = row
  return (
    <div className="flex items-center gap-2 leading-5">
      {color && <Swatch color={color} dash={dash} line={line} />}
      <span className="grow text-fg-2">{name}</span>
      <span className="num pl-3 font-medium">{value}</span>
    </div>
  )
}
