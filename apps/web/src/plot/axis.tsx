import { Fragment } from 'react'
export interface Tick {
  at: number
  text: string
}
/** Pixels of a character of the smallest type, at most. */
const characterWidth = 6

/** Pixels that the values of an axis take on its left: at least `least`, and as many as their longest text. */
export const roomOf = (texts: readonly string[], least: number) =>
  Math.max(least, ...texts.map((text) => text.length * characterWidth + 10))

/** Horizontal hairlines with their values on the left. */
export function YAxis({ ticks, left, right }: { ticks: Tick[]; left: number; right: number }) {
  return (
    <g aria-hidden>
      {ticks.map((t, i) => (
        <Fragment key={t.text + i}>
          <line
            x1={left}
            x2={right}
            y1={Math.round(t.at) + 0.5}
            y2={Math.round(t.at) + 0.5}
            stroke={i === 0 ? 'var(--line-2)' : 'var(--line)'}
          />
          <text x={left - 8} y={t.at + 4} textAnchor="end" fontSize="11" fill="var(--fg-3)" className="num">
            {t.text.replace(/^-/, '−')}
          </text>
        </Fragment>
      ))}
    </g>
  )
}
export function XAxis({ ticks, y, left, right }: { ticks: Tick[]; y: number; left: number; right: number }) {
  return (
    <g aria-hidden>
      {ticks.map((t, i) => (
        <text
          key={i}
          x={t.at}
          y={y + 16}
          textAnchor={t.at > right - 16 ? 'end' : t.at < left + 16 ? 'start' : 'middle'}
          fontSize="11"
          fill="var(--fg-3)"
          className="num"
        >
          {t.text}
        </text>
      ))}
    </g>
  )
}

/** Every tick, every second, every third … until there are at most `most`. */
export function fitTicks(list: readonly number[], most: number): number[] {
  const step = Math.max(1, Math.ceil(list.length / Math.max(2, most)))
  return list.filter((_, at) => at % step === 0)
}
