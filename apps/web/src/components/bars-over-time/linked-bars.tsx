import { Link, type LinkProps } from '@tanstack/react-router'
import { BarsOverTime } from './bars-over-time.tsx'

/** A part of a time, as one bar. */
export interface TimePart {
  startedAt: string
  endedAt: string
  /** The sections of the bar from its top down; all of them together are its value. */
  sections: readonly Section[]
  /** Its value for a person, without its time. */
  text: string
  /** The rows behind it. */
  link: LinkProps
}

interface Section {
  value: number
  tone?: 'errors' | 'faint'
}

/** What a bar stands for. */
export const valueOf = ({ sections }: Pick<TimePart, 'sections'>) => sections.reduce((sum, { value }) => sum + value, 0)

/** Bars that each lead to the rows of their part of a time. Those of an empty part are no links. */
export function LinkedBars({ parts, height }: { parts: readonly TimePart[]; height: number }) {
  const most = Math.max(0, ...parts.map(valueOf))
  return (
    <BarsOverTime height={height} newest={parts.at(-1)?.startedAt}>
      {parts.map((part) =>
        valueOf(part) === 0 ? (
          <span key={part.startedAt} className="time-bar" />
        ) : (
          <LinkedBar key={part.startedAt} part={part} toPixels={(value) => Math.ceil((value / most) * height)} />
        ),
      )}
    </BarsOverTime>
  )
}

function LinkedBar({ part: { startedAt, sections, text, link }, toPixels }: { part: TimePart; toPixels: (value: number) => number }) {
  const label = `${text} from ${startedAt}`
  return (
    <Link {...link} className="time-bar" title={label} aria-label={label}>
      {sections
        .filter(({ value }) => value > 0)
        .map(({ value, tone = '' }) => (
          <span key={tone} className={tone === '' ? 'time-bar-part' : `time-bar-part ${tone}`} style={{ height: toPixels(value) }} />
        ))}
    </Link>
  )
}
