import type { EvaluationRun } from '@heddle/evaluations'
import { parseTimestamp } from '@heddle/core-api'
import type { Clock } from '../../terminal/clock.ts'
import { formatDuration } from '../../terminal/measures.ts'
import { shorten, toTerminalText } from '../../terminal/terminal-text.ts'

const maxNameWidth = 48

/** Recorded text of any length for one column. */
export function nameText(text: string): string {
  return shorten(toTerminalText(text), maxNameWidth)
}

/** Microseconds since 1970. */
export const startOf = ({ started_at }: Pick<EvaluationRun, 'started_at'>): number => parseTimestamp(started_at) ?? 0

/** `12.5 s`, or `running`. */
export function durationText({ duration_us }: Pick<EvaluationRun, 'duration_us'>): string {
  return duration_us === null ? 'running' : formatDuration(duration_us)
}

/** A run in one line. */
export function runLine(run: EvaluationRun, clock: Clock): string {
  const started = clock.wholeText(startOf(run))
  const parts = [nameText(run.name), ...(run.model === null ? [] : [nameText(run.model)]), run.status, started]
  return [...parts, ...(run.duration_us === null ? [] : [durationText(run)]), toTerminalText(run.id)].join(' · ')
}

/** `1 row`, `12 rows`. */
export function countText(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}
