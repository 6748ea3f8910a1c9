import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** A version to link to a collection of a registry project. */
export interface NewLink {
  portfolio_name: string
  /** The version, in a project of its own. */
  source: { project: ProjectScope; object_id: string; digest: string }
  aliases: readonly string[]
  wb_user_id: string
  at: Micros
}

/** A link as it stands: its number, and who made it first. */
export interface MadeLink {
  version_index: number
  wb_user_id: string
  created_at: Micros
}

/** What the registry resource asks of storage. Numbers of a collection have no gaps, also when others link at the same time. */
export interface RegistryStore {
  /**
   * Links a version under the next number of the collection, or finds the number that it has. Its aliases are then the given ones;
   * those that pointed to another number move.
   */
  link(registry: ProjectScope, link: NewLink): Promise<MadeLink>
}
