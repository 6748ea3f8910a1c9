import type { CallsFilter } from '@heddle/core-api'
import { bind, join, sql, type Param, type Sql } from '@heddle/datastore'
import { toStoredId } from '../../payload/stored-id.ts'
import { isOfThreads, isRoot } from '../derived-conditions.ts'
import { checkListLength } from './check-list-length.ts'

export interface FilterOptions {
  filter: Partial<CallsFilter>
  /** Whether threads are those of traces. */
  ofTraces: boolean
  /** `entity/project`, which completes bare run ids. */
  projectId: string
}

/** Whether a query is of traces, by their roots. */
export const isOfTraces = (filter: Pick<Partial<CallsFilter>, 'trace_roots_only'> | null | undefined): boolean =>
  filter?.trace_roots_only === true

/**
 * Compiles a calls filter to conditions that must all hold. A list that is null or empty is not given, but empty `thread_ids` and `turn_ids` match nothing.
 * In a query of traces, `thread_ids` are those of the traces: a call below the root may be the only one to name its thread.
 * @throws 400 for a list of more than 1000 entries.
 */
export function compileFilter({ filter, ofTraces, projectId }: FilterOptions): Sql[] {
  for (const [name, value] of Object.entries(filter)) if (Array.isArray(value)) checkListLength(name, value.length)
  const runs = filter.wb_run_ids?.map((run) => (run.includes('/') ? run : `${projectId}/${run}`))
  return [
    ...given(filter.op_names, opNames),
    ...given(filter.input_refs, (refs) => refsIn(sql`input_refs`, refs)),
    ...given(filter.output_refs, (refs) => refsIn(sql`output_refs`, refs)),
    // If '' means none, no entry can name it.
    ...given(filter.parent_ids, (ids) => sql`(parent_id != '' AND parent_id IN ${texts(ids)})`),
    ...given(filter.trace_ids, (ids) => sql`trace_id IN ${texts(ids)}`),
    ...given(filter.call_ids, (ids) => sql`id IN ${texts(ids)}`),
    ...memberOrNone(filter.thread_ids, (ids) =>
      ofTraces ? isOfThreads(projectId, ids.map(toStoredId)) : sql`thread_id IN ${texts(ids.map(toStoredId))}`,
    ),
    ...memberOrNone(filter.turn_ids, (ids) => sql`turn_id IN ${texts(ids.map(toStoredId))}`),
    ...(isOfTraces(filter) ? [isRoot(projectId)] : []),
    ...given(filter.wb_user_ids, (ids) => sql`(wb_user_id != '' AND wb_user_id IN ${texts(ids)})`),
    ...given(runs, (ids) => sql`(wb_run_id != '' AND wb_run_id IN ${texts(ids)})`),
  ]
}

type List = readonly string[] | null | undefined

function given(list: List, compile: (entries: readonly string[]) => Sql): Sql[] {
  return list && list.length > 0 ? [compile(list)] : []
}

function memberOrNone(list: List, compile: (entries: readonly string[]) => Sql): Sql[] {
  return list?.length === 0 ? [sql`0`] : given(list, compile)
}

function texts(values: readonly string[]): Param {
  return bind('Array(String)', values)
}

function opNames(names: readonly string[]): Sql {
  const { exact, prefixes } = splitVersions(names)
  const anyVersion = sql`arrayExists(p -> startsWith(op_name, p), ${texts(prefixes)})`
  return either(exact.length > 0 && sql`op_name IN ${texts(exact)}`, prefixes.length > 0 && anyVersion)
}

function refsIn(column: Sql, refs: readonly string[]): Sql {
  const { exact, prefixes } = splitVersions(refs)
  const anyVersion = sql`arrayExists(r -> arrayExists(p -> startsWith(r, p), ${texts(prefixes)}), ${column})`
  return either(exact.length > 0 && sql`hasAny(${column}, ${texts(exact)})`, prefixes.length > 0 && anyVersion)
}

/** An entry that ends in `:*` matches all that begin with the part before the star. */
function splitVersions(entries: readonly string[]): { exact: string[]; prefixes: string[] } {
  return {
    exact: entries.filter((entry) => !entry.endsWith(':*')),
    prefixes: entries.filter((entry) => entry.endsWith(':*')).map((entry) => entry.slice(0, -1)),
  }
}

function either(...conditions: (Sql | false)[]): Sql {
  return sql`(${join(
    conditions.filter((condition) => condition !== false),
    sql` OR `,
  )})`
}
