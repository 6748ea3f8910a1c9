import type { QueryOperation, QueryValue } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import { readAhead } from '../../payload/read-ahead.ts'
import { toPages } from '../../payload/to-pages.ts'
import type { CallColumns, CallKey, CallsStore, PayloadColumn } from '../../records/calls/calls-store.ts'
import { noCallsFilter } from '../../records/calls/read/no-calls-filter.ts'

/** Which calls of evaluations, by start. */
export interface EvaluationCallsQuery {
  /** Only direct children of this call, whichever trace they name. */
  parent?: Pick<CallColumns, 'id'>
  /** Only calls whose field has this value, or one of these, by the path of the field. Null and an empty list: any. */
  where?: Readonly<Record<string, string | readonly string[] | null>>
  limit?: number | null
  offset?: number | null
}

/**
 * Finds calls and reads them in pages, with the given payloads. The request has been checked when this resolves.
 * @throws ApiError 400 for a negative limit or offset.
 */
export async function findCalls(
  store: CallsStore,
  project: ProjectScope,
  { parent, where = {}, limit = null, offset = null }: EvaluationCallsQuery,
  payloads: ReadonlySet<PayloadColumn>,
): Promise<AsyncGenerator<CallColumns[]>> {
  const filter = parent === undefined ? noCallsFilter : { ...noCallsFilter, parent_ids: [parent.id] }
  const conditions = Object.entries(where).flatMap(([field, wanted]) => conditionOf(field, wanted))
  const query = conditions.length === 0 ? null : { $expr: { $and: conditions } }
  const keys = await store.select(project, { filter, query, sort_by: null, limit, offset, expand_columns: null })
  return readAhead(pagesOf(keys), (page) => store.readPage(project, page, payloads))
}

function conditionOf(field: string, wanted: string | readonly string[] | null): QueryOperation[] {
  if (wanted === null || wanted.length === 0) return []
  const value: QueryValue = { $getField: field }
  if (typeof wanted === 'string') return [{ $eq: [value, { $literal: wanted }] }]
  return [{ $in: [value, wanted.map((each) => ({ $literal: each }))] }]
}

async function* pagesOf(keys: AsyncIterable<CallKey[]>): AsyncGenerator<CallKey[]> {
  for await (const block of keys) yield* toPages(block, { first: 100, largest: 500 })
}
