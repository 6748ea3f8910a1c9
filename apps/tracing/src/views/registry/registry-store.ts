import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** A version to link to a collection of a registry project. */
export interface NewLink {
  portfolio_name: string
  /** The version, in its own project. */
  source: { project: ProjectScope; object_id: string; digest: string }
  aliases: readonly string[]
  wb_user_id: string
  at: Micros
}

/** The resulting link: its number, and who created it first. */
export interface CreatedLink {
  version_index: number
  wb_user_id: string
  created_at: Micros
}

/** Storage of the registry. Numbers of a collection have no gaps, even with concurrent linkers. */
export interface RegistryStore {
  /**
   * Links a version under the next number of the collection, or finds its existing number. Its aliases are then the given ones; aliases that pointed
   * to another number are moved.
   */
  link(registry: ProjectScope, link: NewLink): Promise<CreatedLink>
}
