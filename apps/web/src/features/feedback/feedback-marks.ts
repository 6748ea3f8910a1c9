import type { Feedback } from '@heddle/core-api/types'
import { scoreMark } from './score-marks.ts'

/** Feedback on one thing in short texts: reactions and scores as they are, any other by its type, each with how many there are of it. */
export function toFeedbackMarks(rows: readonly Pick<Feedback, 'feedback_type' | 'payload'>[]): string[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const mark = scoreMark(row) ?? shortType(row.feedback_type)
    counts.set(mark, (counts.get(mark) ?? 0) + 1)
  }
  return [...counts].map(([mark, count]) => (count === 1 ? mark : `${mark} × ${count}`))
}

/** `wandb.note.1` as `note`. */
export function shortType(type: unknown): string {
  const text = String(type)
  return text.startsWith('wandb.') ? text.slice('wandb.'.length).replace(/\.1$/, '') : text
}
