import type { Tables } from '@heddle/datastore'
import type { Kysely } from 'kysely'
import type { VersionQuery } from '../objects-store.ts'
import type { DigestArgument } from './digest-argument.ts'
import { storable, versionsOf } from './object-rows-store.sql.ts'

/** Versions that a wanted one may be; more than one may answer to the same index. */
export async function findCandidates(database: Kysely<Tables>, projectId: string, wanted: readonly VersionQuery[]) {
  const names = storable(wanted.map(({ object_id }) => object_id))
  const digests = storable(wanted.flatMap(({ argument }) => digestOf(argument)))
  const indexes = wanted.flatMap(({ argument }) => (argument.by === 'index' ? [argument.version_index] : []))
  if (names.length === 0) return []
  return versionsOf(database, projectId)
    .where('version.object_id', 'in', names)
    .where((match) =>
      match.or([
        ...(digests.length > 0 ? [match('version.digest', 'in', digests)] : []),
        ...(indexes.length > 0 ? [match('version.version_index', 'in', indexes)] : []),
        ...(wanted.some(({ argument }) => argument.by === 'latest') ? [match('latest.digest', 'is not', null)] : []),
      ]),
    )
    .execute()
}

/** The digests to compare with: also an alias that the object does not have. */
function digestOf(argument: DigestArgument): string[] {
  if (argument.by === 'digest') return [argument.digest]
  return argument.by === 'alias' ? [argument.alias] : []
}
