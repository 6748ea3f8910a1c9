import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
  /** Whether there are no rows behind it. Default: where its value is 0. */
  isEmpty?: boolean
}

interface Section {
  value: number
  tone?: 'errors' | 'faint' | `series-${number}`
}

/** What a bar stands for. */
export const valueOf = ({ sections }: Pick<TimePart, 'sections'>) => sections.reduce((sum, { value }) => sum + value, 0)

/** Whether a part leads nowhere. */
export const isEmptyPart = (part: TimePart) => part.isEmpty ?? valueOf(part) === 0

/** Bars that each lead to the rows of their part of a time. Those of an empty part are no links. */
export function LinkedBars({ parts, height }: { parts: readonly TimePart[]; height: number }) {
  const most = Math.max(0, ...parts.map(valueOf))
  return (
    <BarsOverTime height={height} newest={parts.at(-1)?.startedAt}>
      {parts.map((part) => (
        <PartLink key={part.startedAt} part={part}>
          {part.sections
            .filter(({ value }) => value > 0)
            .map(({ value, tone = '' }) => (
              <span
                key={tone}
                className={tone === '' ? 'time-bar-part' : `time-bar-part ${tone}`}
                style={{ height: Math.ceil((value / most) * height) }}
              />
            ))}
        </PartLink>
      ))}
    </BarsOverTime>
  )
}

/** What stands for a part, and leads to its rows where it has any. */
export function PartLink({ part, children }: { part: TimePart; children?: ReactNode }) {
  if (isEmptyPart(part)) return <span className="time-bar" />
  const label = `${part.text} from ${part.startedAt}`
  return (
    <Link {...part.link} className="time-bar" title={label} aria-label={label}>
      {children}
    </Link>
  )
}
