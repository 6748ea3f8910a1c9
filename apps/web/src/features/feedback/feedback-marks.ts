import type { Feedback } from '@heddle/core-api/types'
import { scoreMark } from './score-marks.ts'

/** Feedback on one thing in short texts: reactions and scores as they are, any other by its type, each with how many there are of it. */
export function toFeedbackMarks(rows: readonly Pick<Feedback, 'feedback_type' | 'payload'>[]): string[] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const mark = scoreMark(row) ?? nameOfType(row.feedback_type)
    counts.set(mark, (counts.get(mark) ?? 0) + 1)
  }
  return [...counts].map(([mark, count]) => (count === 1 ? mark : `${mark} × ${count}`))
}

/** The name of a type of feedback: `wandb.note.1` is a note, `wandb.runnable.exact` what the scorer `exact` gave. Other types name themselves. */
export function nameOfType(type: unknown): string {
  const text = String(type)
  if (!text.startsWith('wandb.')) return text
  const [kind = '', ...rest] = text.slice('wandb.'.length).split('.')
  const title = titles[kind] ?? kind
  const of = rest.join('.')
  return of === '' || of === '1' ? title : `${title} ${of}`
}

const titles: Readonly<Record<string, string>> = {
  reaction: 'Reaction',
  note: 'Note',
  annotation: 'Annotation',
  runnable: 'Score',
  agent_user_feedback: 'User feedback',
}
