import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** A version by its content. */
export interface LabelledVersion {
  object_id: string
  digest: string
}

/** A registry collection that holds a version. */
export interface StoredLink {
  /** The registry project. */
  project_id: string
  portfolio_name: string
  version_index: number
  /** Names in the collection that point to this index, sorted. */
  aliases: string[]
  wb_user_id: string
  created_at: Micros
}

/** The names of a version other than its digest and index. */
export interface VersionLabels {
  /** Sorted. */
  tags: string[]
  /** Sorted, `latest` left out. */
  aliases: string[]
  /** By registry project, portfolio and index. */
  links: StoredLink[]
}

/** Who gives a label, and when. */
export interface LabelAuthor {
  wb_user_id: string
  at: Micros
}

/** A change of what an alias points to. */
export interface AliasMove {
  alias: string
  /** Null where the alias pointed to nothing, or where that is not known. */
  from_digest: string | null
  /** Null where the alias was removed. */
  to_digest: string | null
  wb_user_id: string
  at: Micros
}

export interface AliasMovesPage {
  /** Null: all aliases. */
  alias: string | null
  limit: number
  offset: number
}

/** Tags and aliases of object versions. Only live versions have any: a delete takes them along. */
export interface ObjectLabelsStore {
  /**
   * Adds tags; existing ones are unchanged. False if there is no such live version, and nothing is changed.
   * @throws 400 if the version would have more than 1000.
   */
  addTags(project: ProjectScope, version: LabelledVersion, tags: readonly string[], author: LabelAuthor): Promise<boolean>
  removeTags(project: ProjectScope, version: LabelledVersion, tags: readonly string[]): Promise<void>
  /**
   * Points aliases of the name to this version, whatever their target was. False if there is no such live version, and nothing is changed.
   * @throws 400 if the name would have more than 1000.
   */
  setAliases(project: ProjectScope, version: LabelledVersion, aliases: readonly string[], author: LabelAuthor): Promise<boolean>
  removeAliases(project: ProjectScope, object_id: string, aliases: readonly string[], author: LabelAuthor): Promise<void>
  /** Where aliases of the name were pointed, the newest first: the newest 100 of each alias, at most 10,000 together. */
  listAliasMoves(project: ProjectScope, object_id: string, page: AliasMovesPage): Promise<AliasMove[]>
  /** Tags of the project, each once, sorted. */
  listTags(project: ProjectScope): Promise<string[]>
  /** Aliases of the project, each once, sorted, with `latest` where any name has a live version. */
  listAliases(project: ProjectScope): Promise<string[]>
  /** Labels of the versions, in their order. */
  readLabels(project: ProjectScope, versions: readonly LabelledVersion[]): Promise<VersionLabels[]>
}
