import type { Tables } from '@heddle/datastore'
import { type Kysely, type Selectable, sql, type SqlBool } from 'kysely'
import type { ObjectKind } from './object-class.ts'
import type { StoredVersion } from '../objects-store.ts'
import { hiddenSince } from './hidden-versions-store.sql.ts'

type VersionRow = Selectable<Tables['object_versions']> & { latest_digest: string | null; hidden_since: number | null }

/** Whether `latest`, a row of `object_latest`, points to the row of `object_versions` that the statement calls `version`. */
export const isLatest = sql<SqlBool>`latest.project_id = version.project_id AND latest.object_id = version.object_id
  AND latest.kind = version.kind AND latest.digest = version.digest`

/** All versions of a project, as `version`, each with the pointer `latest` where it is the latest of its name. */
export function versionsOf(db: Kysely<Tables>, projectId: string) {
  return db
    .selectFrom('object_versions as version')
    .leftJoin('object_latest as latest', (join) => join.on(isLatest))
    .selectAll('version')
    .select(['latest.digest as latest_digest', hiddenSince.as('hidden_since')])
    .where('version.project_id', '=', projectId)
}

export function toVersion({ latest_digest, hidden_since, kind, value_gone_at: _gone, key_id: _key, ...row }: VersionRow): StoredVersion {
  return { ...row, kind: kind as ObjectKind, deleted_at: row.deleted_at ?? hidden_since, is_latest: latest_digest === null ? 0 : 1 }
}

/** Texts that can be stored: PostgreSQL holds none with NUL, so nothing is named by one. */
export function storable(texts: readonly string[]): string[] {
  return texts.filter((text) => !text.includes('\0'))
}
