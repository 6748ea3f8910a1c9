import type { Generated } from 'kysely'

/** Times are whole microseconds since 1970-01-01 UTC. */
export interface Tables {
  projects: ProjectsTable
  api_keys: ApiKeysTable
  api_key_projects: ApiKeyProjectsTable
  object_versions: ObjectVersionsTable
  object_latest: ObjectLatestTable
  files: FilesTable
  analytical_migrations: AnalyticalMigrationsTable
}

export interface ProjectsTable {
  /** Counts up from 1; never used again. */
  number: Generated<number>
  /** `entity/project`. */
  id: string
  internal_id: string
  entity: string
  name: string
  created_at: number
}

export interface ApiKeysTable {
  id: string
  name: string
  user_id: string
  hash: string
  /** First characters of the key, for people to recognise it. */
  prefix: string
  /** The entity that the key belongs to; `*` for all. */
  entity: string
  role: string
  /** Scopes with a space between them. */
  scopes: string
  /** Null = never. */
  expires_at: number | null
  last_used_at: number | null
  /** Null while the key is valid. */
  revoked_at: number | null
  created_at: number
}

/** The role of a key in one project, where it differs from the key's own. */
export interface ApiKeyProjectsTable {
  key_id: string
  project_id: string
  role: string
}

export interface ObjectVersionsTable {
  project_id: string
  object_id: string
  kind: string
  digest: string
  /** Position among the versions of the object, from 0. */
  version_index: number
  base_object_class: string | null
  leaf_object_class: string | null
  wb_user_id: string | null
  size_bytes: number
  created_at: number
  /** Null while the version exists. */
  deleted_at: number | null
}

/** The version that `latest` names. */
export interface ObjectLatestTable {
  project_id: string
  object_id: string
  kind: string
  digest: string
}

export interface FilesTable {
  project_id: string
  digest: string
  /** Hash of the content in hexadecimal, its name in the blobs. Null in records that are older than this column. */
  sha256: string | null
  name: string
  size_bytes: number
  created_at: number
}

/** The migrations of the analytical store that have been applied. */
export interface AnalyticalMigrationsTable {
  name: string
  applied_at: number
}
