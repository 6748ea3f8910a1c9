import type { ProjectScope } from '@heddle/identity'

/** The value of a version: references in external form. */
export interface ObjectValue {
  digest: string
  val: unknown
  /** JSON text of `val`. */
  json: string
}

/** Values of object versions. They never change: a digest names one content. */
export interface ObjectValuesStore {
  /** Stores a value, or the same one again. Resolves when it is durable and readable. */
  put(project: ProjectScope, value: ObjectValue): Promise<void>
  /** JSON texts by digest; digests without a value are left out. */
  read(project: ProjectScope, digests: readonly string[]): Promise<Map<string, string>>
}
