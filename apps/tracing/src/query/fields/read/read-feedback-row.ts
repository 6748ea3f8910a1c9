import { badRequest } from '@heddle/core-api/internal'
import { bind, sql, type FeedbackRow, type Sql } from '@heddle/datastore'
import { computedValue, type Operand, type ValueOperand, type ValueType } from '../../compile/operands/operand.ts'
import { parsePath } from '../parse-path.ts'
import { payloadText } from '../payload-text.ts'
import { payloadOperand } from './read-payload.ts'

const columns = new Map<string, { type: ValueType; sql: Sql }>([
  ['id', text(sql`id`)],
  ['project_id', text(sql`project_id`)],
  ['weave_ref', text(sql`weave_ref`)],
  ['creator', text(sql`creator`)],
  ['wb_user_id', text(sql`wb_user_id`)],
  ['created_at', { type: 'time', sql: sql`created_at` }],
  ['feedback_type', text(sql`feedback_type`)],
  ['annotation_ref', text(sql`nullIf(annotation_ref, '')`)],
  ['runnable_ref', text(sql`nullIf(runnable_ref, '')`)],
  ['call_ref', text(sql`nullIf(call_ref, '')`)],
  ['trigger_ref', text(sql`nullIf(trigger_ref, '')`)],
  ['queue_id', text(sql`nullIf(queue_id, '')`)],
  ['span_agent_name', text(sql`span_agent_name`)],
  ['span_agent_version', text(sql`span_agent_version`)],
  ['span_conversation_id', text(sql`span_conversation_id`)],
  ['span_trace_id', text(sql`span_trace_id`)],
  ['span_status_code', text(sql`span_status_code`)],
  ['scorer_trace_id', text(sql`scorer_trace_id`)],
])

/** Maps from a name to a text or a number, each stored as a JSON object. */
const maps = new Map<string, { of: 'text' | 'double'; sql: Sql }>([
  ['scorer_tag_reasons', { of: 'text', sql: sql`scorer_tag_reasons` }],
  ['scorer_tag_confidences', { of: 'double', sql: sql`scorer_tag_confidences` }],
  ['scorer_ratings', { of: 'double', sql: sql`scorer_ratings` }],
  ['scorer_rating_reasons', { of: 'text', sql: sql`scorer_rating_reasons` }],
  ['scorer_rating_confidences', { of: 'double', sql: sql`scorer_rating_confidences` }],
])

/** The meaning of a feedback field path. */
export type FeedbackRowField =
  /** A whole column. */
  | { kind: 'column'; name: keyof FeedbackRow }
  /** A value inside a column. */
  | { kind: 'value'; operand: ValueOperand }

/** Finds out what a field path of feedback means. @throws 400 when feedback has no such field. */
export function resolveFeedbackRowField(path: string): FeedbackRowField {
  if (columns.has(path) || maps.has(path) || path === 'payload' || path === 'scorer_tags')
    return { kind: 'column', name: path as keyof FeedbackRow }
  const [root = '', ...segments] = parsePath(path)
  if (root === 'payload') return { kind: 'value', operand: payloadOperand(payloadText(sql`payload`, segments)) }
  const map = maps.get(root)
  if (map === undefined) throw badRequest(`Unknown field: ${path}`)
  return { kind: 'value', operand: entryOf(map, segments.join('.')) }
}

/** Reads a field of feedback for a query. @throws 400 when feedback has no such field. */
export function readFeedbackRowField(path: string): Operand {
  const field = resolveFeedbackRowField(path)
  if (field.kind === 'value') return field.operand
  if (field.name === 'scorer_tags') return { kind: 'texts', sql: sql`scorer_tags`, isSet: true }
  if (field.name === 'payload') return payloadOperand(payloadText(sql`payload`, []))
  const column = columns.get(field.name) ?? text(maps.get(field.name)?.sql ?? sql`''`)
  return { ...computedValue(column.type, column.sql), isField: true }
}

function text(expression: Sql): { type: ValueType; sql: Sql } {
  return { type: 'text', sql: expression }
}

/** An entry of a map, whose name may have dots; NULL where the map has none of the name. */
function entryOf(map: { of: 'text' | 'double'; sql: Sql }, name: string): ValueOperand {
  const key = bind('String', name)
  const value =
    map.of === 'double'
      ? sql`JSONExtract(${map.sql}, ${key}, 'Nullable(Float64)')`
      : sql`JSONExtract(${map.sql}, ${key}, 'Nullable(String)')`
  return { ...computedValue(map.of, value), isField: true }
}
