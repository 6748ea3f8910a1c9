import { formatTimestamp } from '@heddle/core-api'
import { JsonText } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'
import type { CallColumns } from '../calls-store.ts'
import { derivedSummary, withMember } from './derived-summary.ts'

/** Data of an answer in addition to the stored columns. */
export interface RecordOptions {
  /** Top-level fields to show; undefined = all. The identifying ones are always shown. */
  fields: ReadonlySet<string> | undefined
  storageSize: boolean
  /** Bytes of the whole trace, for roots. Null for other calls and if it was not requested. */
  totalStorageSize: number | null
  /** Shown name of the caller that wrote the call; undefined leaves the field out. */
  username: string | undefined
  /** Fields in which texts were cut. */
  cutFields?: readonly string[] | undefined
  /** Further keys of `summary.weave`. */
  summaryAdditions: Record<string, unknown>
}

/** Builds the call record of an answer as JSON text: payloads are inserted as stored. */
export function toCallRecord(row: CallColumns, options: RecordOptions): JsonText {
  const shows = (field: string) => options.fields === undefined || options.fields.has(field)
  const text = (field: string, value: string | null) => (shows(field) && value !== null && value !== '' ? JSON.stringify(value) : 'null')
  const time = (field: string, micros: number | null) =>
    shows(field) && micros !== null ? JSON.stringify(formatTimestamp(micros)) : 'null'
  const number = (field: string, value: number | null) => (shows(field) && value !== null ? String(value) : 'null')
  const members = [
    `"id":${JSON.stringify(row.id)}`,
    `"project_id":${JSON.stringify(row.project_id)}`,
    `"op_name":${JSON.stringify(row.op_name)}`,
    `"display_name":${text('display_name', row.display_name)}`,
    `"trace_id":${JSON.stringify(row.trace_id)}`,
    `"parent_id":${text('parent_id', row.parent_id)}`,
    `"thread_id":${shows('thread_id') ? JSON.stringify(row.thread_id) : 'null'}`,
    `"turn_id":${shows('turn_id') ? JSON.stringify(row.turn_id) : 'null'}`,
    `"started_at":${JSON.stringify(formatTimestamp(row.started_at))}`,
    `"attributes":${shows('attributes') ? attributesText(row) : '{}'}`,
    `"inputs":${shows('inputs') ? (row.inputs ?? '{}') : '{}'}`,
    `"ended_at":${time('ended_at', row.ended_at)}`,
    `"exception":${shows('exception') ? JSON.stringify(row.exception) : 'null'}`,
    `"output":${shows('output') ? (row.output ?? 'null') : 'null'}`,
    `"summary":${derivedSummary({ ...row, summary: shows('summary') ? (row.summary ?? '{}') : '{}' }, options.summaryAdditions)}`,
    `"wb_user_id":${text('wb_user_id', row.wb_user_id)}`,
    `"wb_run_id":${text('wb_run_id', row.wb_run_id)}`,
    `"wb_run_step":${number('wb_run_step', row.wb_run_step)}`,
    `"wb_run_step_end":${number('wb_run_step_end', row.wb_run_step_end)}`,
    `"deleted_at":null`,
    `"expire_at":${time('expire_at', row.expire_at === 0 ? null : row.expire_at)}`,
    `"storage_size_bytes":${options.storageSize ? String(row.storage_size_bytes) : 'null'}`,
    `"total_storage_size_bytes":${options.totalStorageSize ?? 'null'}`,
  ]
  if (options.username !== undefined) members.push(`"wb_username":${JSON.stringify(options.username)}`)
  const cutFields = options.cutFields?.filter(shows) ?? []
  if (cutFields.length > 0) members.push(`"cut_fields":${JSON.stringify(cutFields)}`)
  return new JsonText(`{${members.join(',')}}`)
}

function attributesText({ attributes, otel }: CallColumns): string {
  const text = attributes ?? '{}'
  if (otel === null || otel === '') return text
  if (!text.includes('"otel_span"')) return withMember(text, 'otel_span', otel)
  return stringifyJson({ ...(parseJson(text) as Record<string, unknown>), otel_span: new JsonText(otel) })
}
