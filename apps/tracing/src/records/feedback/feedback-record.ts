import { formatTimestamp } from '@heddle/core-api'
import { JsonText } from '@heddle/core-api/internal'
import type { FeedbackRow } from '@heddle/datastore'
import type { SelectedFeedback } from './feedback-store.ts'
import { scorerFields } from './write/scorer-fields.ts'

type Column = Exclude<keyof FeedbackRow, 'version' | 'is_deleted'>

const always = [
  'id',
  'project_id',
  'weave_ref',
  'creator',
  'wb_user_id',
  'created_at',
  'feedback_type',
  'payload',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
] as const satisfies readonly Column[]

const spanColumns = [
  'span_agent_name',
  'span_agent_version',
  'span_conversation_id',
  'span_trace_id',
  'span_status_code',
  'scorer_trace_id',
] as const satisfies readonly Column[]

/** Stored values of these columns if none was given. Old clients refuse rows with unknown keys, so such a column is omitted. */
const nothing = new Map<Column, string>([
  ['queue_id', 'null'],
  ...scorerFields.map((column): [Column, string] => [column, column === 'scorer_tags' ? '[]' : '{}']),
  ...spanColumns.map((column): [Column, string] => [column, column === 'span_status_code' ? '"UNSET"' : '""']),
])

const callColumns: readonly Column[] = [
  'id',
  'feedback_type',
  'weave_ref',
  'payload',
  'creator',
  'created_at',
  'wb_user_id',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'annotation_ref',
  ...scorerFields,
]

/** A feedback as it is answered: the given fields, or all of them but for the queue, scorer and span fields that hold nothing. */
export function toFeedbackRecord({ columns, values }: SelectedFeedback, fields: readonly string[] | null): JsonText {
  if (fields !== null) {
    return toObject(
      fields.map((field) => [field, values.has(field) ? JSON.stringify(values.get(field)) : columnText(columns, field as Column)]),
    )
  }
  const all = [...always, ...scorerFields, ...spanColumns].map((column): [Column, string] => [column, columnText(columns, column)])
  return toObject(all.filter(([column, text]) => nothing.get(column) !== text))
}

/** A feedback in the summary of its call. */
export function toCallFeedback(row: FeedbackRow): JsonText {
  return toObject(callColumns.map((column) => [column, columnText(row, column)]))
}

function toObject(members: readonly (readonly [string, string])[]): JsonText {
  return new JsonText(`{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`)
}

/** JSON text of a column of a row that has it. */
function columnText(row: Partial<FeedbackRow>, column: Column): string {
  switch (column) {
    case 'created_at':
      return JSON.stringify(formatTimestamp(row.created_at ?? 0))
    case 'annotation_ref':
    case 'runnable_ref':
    case 'call_ref':
    case 'trigger_ref':
    case 'queue_id':
      return row[column] ? JSON.stringify(row[column]) : 'null'
    case 'payload':
    case 'scorer_tag_reasons':
    case 'scorer_tag_confidences':
    case 'scorer_ratings':
    case 'scorer_rating_reasons':
    case 'scorer_rating_confidences':
      return row[column] ?? '{}'
    default:
      return JSON.stringify(row[column] ?? null)
  }
}
