import type { JsonText } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { callCosts, costDetails, type PricesByModel } from '../../costs/price-usage.ts'
import { fillRawSpan } from '../../../payload/raw-span-text.ts'
import { readAhead } from '../../../payload/read-ahead.ts'
import { toPages } from '../../../payload/to-pages.ts'
import type { RecordOptions } from '../row/call-record.ts'
import { toCallRecord } from '../row/call-record.ts'
import type { CallColumns, CallKey, CallsStore, PayloadColumn } from '../calls-store.ts'
import { callNamesOtherProject } from './call-names-other-project.ts'
import { shortCall } from './short-call.ts'
import { readUsedCalls } from './used-calls.ts'

/**
 * Complete records by the calls that they were built from. They use the room that a cache reserves in addition to the text of a call, and are evicted
 * with it.
 */
export type RecordCache = WeakMap<CallColumns, JsonText>

/** A reader's view of calls. */
export interface CallsView {
  /** Top-level fields; undefined = all. */
  fields: ReadonlySet<string> | undefined
  payloads: ReadonlySet<PayloadColumn>
  /** Finds the prices of models; undefined if costs were not requested. */
  pricesOf: ((models: Iterable<string>) => Promise<PricesByModel>) | undefined
  storageSize: boolean
  totalStorageSize: boolean
  usernames: boolean
  /** Texts are cut to this many code points; undefined where they are whole. */
  maxTextLength: number | undefined
  /** Whether the status of a successful call reflects failures below it, as that of a trace or a turn does. */
  failuresBelow: boolean
  /** Feedback on calls, by call id; undefined where it is not shown. */
  feedbackOf: ((callIds: readonly string[]) => Promise<ReadonlyMap<string, JsonText[]>>) | undefined
  /** What happens to the stored payloads on their way out. */
  present(calls: CallColumns[]): Promise<CallColumns[]>
  /** Records that every reader of this view gets, by the calls that are in memory; undefined where something is added or omitted. */
  kept: RecordCache | undefined
}

const firstPage = 50
/** Calls that are read together if there are no more: another statement would take longer than they do. */
const onlyPage = 120
const largestPage = 500

/** Reads calls by their keys, in pages that begin small so that the first ones arrive early. */
export async function* readCalls(
  store: CallsStore,
  project: ProjectScope,
  keys: AsyncIterable<CallKey[]>,
  view: CallsView,
): AsyncGenerator<JsonText> {
  const pages = readAhead(pagesOf(keys), (page) => store.readPage(project, page, view.payloads))
  for await (const page of pages) yield* await toRecords(store, project, page, view)
}

async function* pagesOf(keys: AsyncIterable<CallKey[]>): AsyncGenerator<CallKey[]> {
  let calls = firstPage
  for await (const block of keys) {
    yield* toPages(block, { first: block.length <= onlyPage ? onlyPage : calls, largest: largestPage })
    calls = largestPage
  }
}

/** The records of some calls, in their order. */
export async function toRecords(store: CallsStore, project: ProjectScope, read: CallColumns[], view: CallsView): Promise<JsonText[]> {
  const { kept } = view
  // Records have their status whatever fields are wanted.
  const page = view.failuresBelow ? await withFailuresBelow(store, project, read) : read
  if (kept === undefined || page.length > onlyPage) return buildRecords(store, project, page, view)
  const missing = page.filter((call) => !kept.has(call))
  const built = await buildRecords(store, project, missing, view)
  const records = new Map(missing.map((call, index) => [call, built[index]]))
  for (const [call, record] of records) if (record !== undefined && !callNamesOtherProject(call)) kept.set(call, record)
  return page.flatMap((call) => records.get(call) ?? kept.get(call) ?? [])
}

/** The calls with failures below them reflected in their status, which the row of a call lacks since they may have happened later. */
async function withFailuresBelow(store: CallsStore, project: ProjectScope, page: CallColumns[]): Promise<CallColumns[]> {
  const traces = new Set(page.filter(({ status }) => status === 'success').map(({ trace_id }) => trace_id))
  const above = await store.aboveFailed(project, [...traces])
  return above.size === 0
    ? page
    : page.map((call) => (call.status === 'success' && above.has(call.id) ? { ...call, status: 'descendant_error' } : call))
}

async function buildRecords(store: CallsStore, project: ProjectScope, page: CallColumns[], view: CallsView): Promise<JsonText[]> {
  const roots = view.totalStorageSize ? page.filter(isRoot).map((call) => call.trace_id) : []
  const sizes = await store.traceSizes(project, [...new Set(roots)])
  const additions = await Promise.all([costsOf(store, project, page, view), feedbackOf(page, view)])
  const shown = await view.present(page.map(withWholeSpan))
  return shown.map((whole, index) => {
    const summaryAdditions = Object.assign({}, ...additions.map((each) => each[index])) as Record<string, unknown>
    const { call, cutFields } = view.maxTextLength === undefined ? { call: whole } : shortCall(whole, view.maxTextLength)
    return toCallRecord(call, { ...recordOptions(call, view, sizes), cutFields, summaryAdditions })
  })
}

/** The costs of each call, as additions to its summary; what a client calls `costs` and `cost_details` there gives way to them. */
async function costsOf(
  store: CallsStore,
  project: ProjectScope,
  page: readonly CallColumns[],
  { pricesOf }: CallsView,
): Promise<{ costs: unknown; cost_details: unknown }[]> {
  if (pricesOf === undefined) return []
  const { calls, prices } = await readUsedCalls({ store, pricesOf }, project, page)
  return calls.map((call) => ({ costs: callCosts(call, prices), cost_details: costDetails(call, prices) }))
}

/** The feedback on each call, as additions to its summary. */
async function feedbackOf(page: readonly CallColumns[], view: CallsView): Promise<{ feedback: JsonText[] }[]> {
  const found = await view.feedbackOf?.(page.map(({ id }) => id))
  return found === undefined ? [] : page.map(({ id }) => ({ feedback: found.get(id) ?? [] }))
}

function recordOptions(call: CallColumns, view: CallsView, sizes: ReadonlyMap<string, number>): Omit<RecordOptions, 'summaryAdditions'> {
  return {
    fields: view.fields,
    storageSize: view.storageSize,
    totalStorageSize: view.totalStorageSize && isRoot(call) ? (sizes.get(call.trace_id) ?? 0) : null,
    username: view.usernames && call.wb_user_id !== '' ? call.wb_user_id : undefined,
  }
}

function withWholeSpan(call: CallColumns): CallColumns {
  const { otel, attributes, inputs, output, summary } = call
  if (otel === null || otel === '') return call
  const texts = { attributes: attributes ?? '{}', inputs: inputs ?? '{}', output: output ?? 'null', summary: summary ?? '{}' }
  return { ...call, otel: fillRawSpan(otel, { ...call, ...texts }) }
}

function isRoot(call: CallColumns): boolean {
  return call.parent_id === ''
}
