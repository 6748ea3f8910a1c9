import {
  bind,
  join,
  sharedWork,
  sql,
  type AnsweredRow,
  type CallRow,
  type RowDecoder,
  type ScopedAnalytical,
  type Sql,
} from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { createBatcher } from './batcher.ts'
import { latestVersions } from './latest-versions.ts'

type CallVersionKey = Pick<CallRow, 'project_id' | 'id' | 'version' | 'is_deleted'>

interface VersionLookupOptions<R> {
  row: RowDecoder<R>
  /** Most ids of one statement; a look-up of more has a separate statement. */
  maxIds: number
  /** True if writes are based on the result. Default false. */
  isConsistent?: boolean
}

/** Ids of one project, opened by the caller. */
interface Lookup {
  project: ProjectScope
  ids: readonly string[]
}

/** Finds the latest versions of ids, by id; ids without any are omitted. Look-ups of several requests share statements. */
export type VersionLookup<R> = (project: ProjectScope, ids: readonly string[]) => Promise<ReadonlyMap<string, R>>

export function createVersionLookup<R extends CallVersionKey>(
  analytical: ScopedAnalytical,
  { row, maxIds, isConsistent = false }: VersionLookupOptions<R>,
): VersionLookup<R> {
  const lookUp = createBatcher<Lookup, Map<string, R>>({
    run: (lookups) => readVersions(analytical, lookups, { row, isConsistent }),
    weigh: ({ ids }) => ids.length,
    maxWeight: maxIds,
  })
  return async (project, ids) => {
    const possible = ids.filter(isPossibleId)
    if (possible.length === 0) return new Map()
    const found = await lookUp({ project, ids: possible })
    return new Map(
      possible.flatMap((id) => {
        const call = found.get(keyOf(project.id, id))
        return call === undefined ? [] : [[id, call] as const]
      }),
    )
  }
}

/** False for ids that no call has: one with NUL in it would be refused by the store, together with all others of the statement. */
export function isPossibleId(id: string): boolean {
  return !id.includes('\0')
}

async function readVersions<R extends CallVersionKey>(
  analytical: ScopedAnalytical,
  lookups: readonly Lookup[],
  { row: { select, decode }, isConsistent }: { row: RowDecoder<R>; isConsistent: boolean },
): Promise<Map<string, R>> {
  const found = await analytical
    .of(sharedWork(lookups.map(({ project }) => project)))
    .rows<AnsweredRow>(sql`SELECT ${select} FROM heddle.calls WHERE ${anyOf(lookups)}`, { isConsistent })
  return latestVersions(found.map(decode), ({ project_id, id }) => keyOf(project_id, id))
}

/** Each project's ids are searched only in that project. */
function anyOf(lookups: readonly Lookup[]): Sql {
  const wanted = lookups.map(
    ({ project, ids }) => sql`(project_id = ${bind('String', project.id)} AND id IN ${bind('Array(String)', ids)})`,
  )
  return join(wanted, sql` OR `)
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\0${id}`
}
