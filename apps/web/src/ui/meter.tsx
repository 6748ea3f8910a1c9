import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

/** How much of a limit is used. The text repeats the meaning of the color. */
export function Meter({
  label,
  value,
  max,
  text,
  note,
  warn = 0.8,
  mark,
}: {
  label: string
  value: number
  max: number
  text: ReactNode
  note?: ReactNode
  warn?: number
  mark?: { at: number; text: string }
}) {
  const part = Math.min(1, value / max)
  const near = part >= warn
  return (
    <div>
      <div className="flex items-baseline justify-between gap-3">
        <span className="truncate font-medium">{label}</span>
        <span className="num shrink-0 text-fg-2">{text}</span>
      </div>
      <div className="relative mt-1.5">
        <div
          role="meter"
          aria-label={label}
          aria-valuenow={Math.round(part * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-1.5 overflow-hidden rounded-full bg-active"
        >
          <div
            className={cx('h-full rounded-full', part >= 1 ? 'bg-red' : near ? 'bg-amber' : 'bg-accent')}
            style={{ width: `${Math.max(0.5, part * 100)}%` }}
          />
        </div>
        {mark && (
          <span
            aria-hidden
            title={mark.text}
            className="absolute -top-0.5 h-2.5 w-0.5 rounded-full bg-fg-2"
            style={{ left: `${Math.min(99.5, (mark.at / max) * 100)}%` }}
          />
        )}
      </div>
      {note && <p className="mt-1 text-xs text-fg-3">{note}</p>}
    </div>
  )
}
