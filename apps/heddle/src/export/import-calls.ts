import { createHash } from 'node:crypto'
import { EndedCall, StartedCall } from '@heddle/core-api/types'
import { isJsonObject } from '@heddle/core-api/internal'
import { exportFiles } from './export-manifest.ts'
import {
  type ImportContext,
  type ImportedRecord,
  inBatches,
  type JsonRecord,
  lineError,
  readRecords,
  textOf,
  writeBatch,
} from './import-context.ts'

const callsAtOnce = 500
/** Fields that are sent as they were exported; what else a start and an end have is made from the record. */
const startFields = fieldsExcept(StartedCall, ['project_id', 'attributes', 'otel_dump', 'wb_user_id'])
const endFields = fieldsExcept(EndedCall, ['project_id', 'id', 'started_at', 'trace_id', 'is_eval', 'summary'])
/** What the server makes itself in `summary.weave`. */
const computed: ReadonlySet<string> = new Set(['status', 'trace_name', 'latency_ms', 'display_name'])

/** An imported call: its line, and a hash of the content to read back. */
export type ImportedCalls = Map<string, { line: number; hash: string }>

type CompletedCalls = Parameters<ImportContext['client']['calls']['complete']>[0]['batch']
type StartedBatch = Parameters<ImportContext['client']['calls']['upsertBatch']>[0]['batch']

/** Imports calls by their ids, so that one more import changes nothing. Calls that have not ended are started. */
export async function importCalls(context: ImportContext): Promise<ImportedCalls> {
  const { client, project, onStep } = context
  const calls: ImportedCalls = new Map()
  const write = (batch: readonly ImportedRecord[]) =>
    writeCalls(
      client,
      project,
      batch.map(({ record }) => record),
    )
  for await (const batch of inBatches(readRecords(context, exportFiles.calls), callsAtOnce)) {
    await writeBatch(batch, write)
    for (const { line, record } of batch) calls.set(String(record['id']), { line: line.number, hash: hashOf(record) })
    onStep(`Importing calls: ${calls.size}`)
  }
  return calls
}

/** Writes calls as they are read; those that have not ended are started. */
export async function writeCalls(client: ImportContext['client'], project: string, records: readonly JsonRecord[]): Promise<void> {
  const [entity = '', name = ''] = project.split('/')
  const ended = records.filter(hasEnded).map((record) => ({ ...toStart(record, project), ...toEnd(record) }))
  const open = records.filter((record) => !hasEnded(record)).map((record) => ({ mode: 'start', req: { start: toStart(record, project) } }))
  if (ended.length > 0) await client.calls.complete({ entity, project: name, batch: ended as unknown as CompletedCalls })
  if (open.length > 0) await client.calls.upsertBatch({ batch: open as unknown as StartedBatch })
}

/** @throws UsageError that names the first call that is not there as it was exported */
export async function verifyCalls({ client, project, onStep }: ImportContext, calls: ImportedCalls): Promise<void> {
  const file = exportFiles.calls
  let found = 0
  for await (const call of client.calls.streamQuery({ project_id: project })) {
    const expected = calls.get(call.id)
    if (expected === undefined) continue
    if (expected.hash !== hashOf(call)) throw lineError({ file, number: expected.line }, `call ${call.id} differs from the imported call`)
    onStep(`Comparing calls: ${++found} of ${calls.size}`)
    calls.delete(call.id)
  }
  for (const [id, { line }] of calls) throw lineError({ file, number: line }, `call ${id} is missing after the import`)
}

function hasEnded(record: JsonRecord): boolean {
  return record['ended_at'] !== null && record['ended_at'] !== undefined
}

function toStart(record: JsonRecord, project_id: string): JsonRecord {
  const { otel_span, ...attributes } = objectOf(record['attributes'])
  const isSpan = isJsonObject(otel_span)
  return {
    ...pick(record, startFields),
    project_id,
    attributes: isSpan ? attributes : record['attributes'],
    otel_dump: isSpan ? otel_span : null,
  }
}

function toEnd(record: JsonRecord): JsonRecord {
  return { ...pick(record, endFields), summary: ownSummary(record['summary']) }
}

/** The summary without what the server adds when it is read. */
function ownSummary(summary: unknown): JsonRecord {
  const { weave, ...own } = objectOf(summary)
  const kept = Object.entries(objectOf(weave)).filter(([key]) => !computed.has(key))
  return kept.length === 0 ? own : { ...own, weave: Object.fromEntries(kept) }
}

function hashOf(record: JsonRecord): string {
  const text = textOf({ ...record, summary: ownSummary(record['summary']) }, [...startFields, ...endFields, 'attributes', 'summary'])
  return createHash('sha256').update(text).digest('base64')
}

function pick(record: JsonRecord, fields: readonly string[]): JsonRecord {
  return Object.fromEntries(fields.map((field) => [field, record[field] ?? null]))
}

function objectOf(value: unknown): JsonRecord {
  return isJsonObject(value) ? value : {}
}

function fieldsExcept<S extends object>({ shape }: { shape: S }, excluded: readonly (keyof S)[]): string[] {
  return Object.keys(shape).filter((name) => !excluded.includes(name as keyof S))
}
