import { isJsonObject } from '@heddle/core-api/internal'

/** The two kinds of objects: an `op` is the source of a function. */
export type ObjectKind = 'op' | 'object'

/** Names of the classes of an instance; both null for any other value. */
export interface ObjectClass {
  base_object_class: string | null
  leaf_object_class: string | null
}

const noClass: ObjectClass = { base_object_class: null, leaf_object_class: null }

/** Reads the classes that a value carries in `_class_name` and `_bases`. A text with NUL is not a name of a class: not every database holds one. */
export function toObjectClass(val: unknown): ObjectClass {
  if (!isJsonObject(val)) return noClass
  const { _bases: bases, _class_name: leaf } = val
  if (!Array.isArray(bases) || bases.length < 2 || typeof leaf !== 'string') return noClass
  if (bases.at(-1) !== 'BaseModel' || (bases.at(-2) !== 'Object' && bases.at(-2) !== 'BaseObject')) return noClass
  const base: unknown = bases.length === 2 ? leaf : bases.at(-3)
  if (typeof base !== 'string' || `${base}${leaf}`.includes('\0')) return noClass
  return { base_object_class: base, leaf_object_class: leaf }
}

/** The kind of an object follows from its value alone. */
export function toObjectKind(val: unknown): ObjectKind {
  if (!isJsonObject(val) || !('_type' in val)) return 'object'
  const type = 'weave_type' in val ? (isJsonObject(val.weave_type) ? val.weave_type.type : undefined) : val._type
  return type === 'Op' ? 'op' : 'object'
}
