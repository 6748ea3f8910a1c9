import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** The value of a version: references in external form. */
export interface ObjectValue {
  digest: string
  val: unknown
  /** JSON text of `val`. */
  json: string
}

/** A stored value, whatever its project. */
export interface StoredValueKey {
  project_id: string
  digest: string
}

/** Values of object versions. They never change: a digest names one content. */
export interface ObjectValuesStore {
  /** Stores a value, or the same one again. Resolves when it is durable and readable. */
  put(project: ProjectScope, value: ObjectValue): Promise<void>
  /** JSON texts by digest; digests without a value are omitted. */
  read(project: ProjectScope, digests: readonly string[]): Promise<Map<string, string>>
  /** Values of all projects that were stored before a time and not again since, each once, in pages. */
  storedBefore(time: Micros): AsyncIterable<StoredValueKey[]>
  /** Removes values, except those that were stored again since. */
  deleteStoredBefore(projectId: string, digests: readonly string[], time: Micros): Promise<void>
  /**
   * Removes the values that no version names, and resolves to their digests. A value that is stored again meanwhile is kept.
   */
  remove(
    project: ProjectScope,
    keys: readonly StoredValueKey[],
    findNamed: (keys: readonly StoredValueKey[]) => Promise<ReadonlySet<StoredValueKey>>,
  ): Promise<string[]>
}
