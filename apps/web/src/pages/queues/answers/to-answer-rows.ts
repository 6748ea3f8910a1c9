import { stringifyJson } from '@heddle/json/exact'
import type { QueueAnswer } from '../../../features/queues/answers-query.ts'

/** A call with its annotations. */
export interface AnsweredCall {
  id: string
  columns: Record<string, unknown>
}

/**
 * Rows of a dataset: the columns of each call, `annotations` with a value for each field, `notes`, and `expected` if the output was corrected, which
 * replaces a column of the call with that name. If annotators differ, a value is an object with theirs by name.
 */
export function toAnswerRows(calls: readonly AnsweredCall[], answers: readonly QueueAnswer[]): Record<string, unknown>[] {
  const byCall = new Map<string, QueueAnswer[]>()
  for (const answer of answers) byCall.set(answer.callId, [...(byCall.get(answer.callId) ?? []), answer])
  return calls.map(({ id, columns }) => {
    const own = byCall.get(id) ?? []
    const notes = own.flatMap(({ field, isCorrection, value }) => (field === undefined && !isCorrection ? [value] : []))
    const corrections = new Map(own.flatMap(({ isCorrection, annotator, value }) => (isCorrection ? [[annotator, value] as const] : [])))
    return {
      ...columns,
      ...(corrections.size > 0 && { expected: joined(corrections) }),
      annotations: annotationsOf(own),
      ...(notes.length > 0 && { notes }),
      call_id: id,
    }
  })
}

function annotationsOf(answers: readonly QueueAnswer[]): Record<string, unknown> {
  const fields = new Map<string, Map<string, unknown>>()
  for (const { field, annotator, value } of answers) {
    if (field === undefined) continue
    const own = fields.get(field) ?? new Map<string, unknown>()
    fields.set(field, own.set(annotator, value))
  }
  return Object.fromEntries([...fields].map(([field, own]) => [field, joined(own)]))
}

function joined(own: ReadonlyMap<string, unknown>): unknown {
  const values = [...own.values()]
  const isSame = new Set(values.map((value) => stringifyJson(value))).size === 1
  return isSame ? values[0] : Object.fromEntries(own)
}
