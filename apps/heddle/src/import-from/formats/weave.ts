import { isJsonObject } from '@heddle/core-api/internal'
import { fileNameOf, objectOf, objectsOf, present, textOf } from '../foreign-fields.ts'
import { toFeedbackId } from '../foreign-ids.ts'
import type { ForeignFormat, ForeignItem, JsonObject, RecordPlace } from '../foreign-item.ts'

/**
 * Exports of Weave: calls as its pages and its API write them, one a line, with the feedback in their summaries, and rows of datasets. Calls keep their
 * ids; an op is named, and its code is not taken.
 */
export function createWeaveFormat(): ForeignFormat {
  return {
    survey: () => undefined,
    *read(record, place) {
      const call = isJsonObject(record['call']) ? record['call'] : record
      if (typeof call['op_name'] === 'string' && typeof call['trace_id'] === 'string') return yield* readCall(call, place)
      const dataset = fileNameOf(place)
      const rows = objectsOf(record, 'rows')
      for (const row of rows) yield { kind: 'row', dataset, row: isJsonObject(row['val']) ? row['val'] : row }
      if (rows.length > 0) return
      if (isJsonObject(record['val']) && typeof record['digest'] === 'string') return yield { kind: 'row', dataset, row: record['val'] }
      yield { kind: 'skipped', what: 'records', reason: 'neither a call nor a row of a dataset' }
    },
  }
}

function* readCall(call: JsonObject, place: RecordPlace): Iterable<ForeignItem> {
  const summary = objectOf(call, 'summary')
  const { feedback, costs: _priced, ...ofServer } = objectOf(summary, 'weave')
  yield { kind: 'call', record: { ...call, op_name: opName(textOf(call, 'op_name') ?? ''), summary: { ...summary, weave: ofServer } } }
  for (const one of Array.isArray(feedback) ? feedback.filter(isJsonObject) : []) yield readFeedback(one, textOf(call, 'id') ?? '', place)
}

/** Name of an op, of a reference to a version of it. */
function opName(text: string): string {
  return /^weave:\/\/\/.*\/op\/([^/:]+)(?::[^/]*)?$/.exec(text)?.[1] ?? text
}

function readFeedback(feedback: JsonObject, call: string, place: RecordPlace): ForeignItem {
  const type = textOf(feedback, 'feedback_type') ?? ''
  const payload = objectOf(feedback, 'payload')
  const id = toFeedbackId('weave', textOf(feedback, 'id') ?? JSON.stringify([call, type, place]))
  const creator = textOf(feedback, 'creator')
  if (type === 'wandb.note.1' || type === 'wandb.reaction.1') return { kind: 'remark', remark: { id, call, type, payload, creator } }
  const name = /^wandb\.(?:annotation|runnable)\.(.+)$/.exec(type)?.[1]
  if (name === undefined) return { kind: 'skipped', what: 'feedback', reason: `its type is ${type}` }
  const { value, output, ...details } = payload
  return { kind: 'score', score: { id, about: { call }, name, value: value ?? output ?? null, details: present(details), creator } }
}
