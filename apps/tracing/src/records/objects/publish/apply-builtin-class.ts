import { badRequest, isJsonObject } from '@heddle/core-api/internal'
import { builtinClasses } from './builtin-classes.ts'
import { withoutClassKeys } from '../../../payload/without-class-keys.ts'
import { toObjectClass } from '../versions/object-class.ts'

/**
 * The value as an instance of the built-in class: checked, defaults filled in, and its class written into it. A value that already has the class is
 * returned unchanged. Keys that name the classes of nested objects make no value invalid.
 * @throws 400 for a value that is not an object, of another class, of an unknown class, or not valid for it.
 */
export function applyBuiltinClass(className: string, val: unknown): Record<string, unknown> {
  const shown = JSON.stringify(className)
  if (!isJsonObject(val)) throw badRequest(`builtin_object_class ${shown} needs an object as val`)
  const { leaf_object_class: leaf } = toObjectClass(val)
  if (leaf === className) return val
  if (leaf !== null) throw badRequest(`val is of class ${JSON.stringify(leaf)}, not of builtin_object_class ${shown}; send one of them`)
  const shape = builtinClasses.get(className)
  if (shape === undefined) throw badRequest(`Unknown object class: ${className}`)
  const asSent = shape.safeParse(val)
  const result = asSent.success ? asSent : shape.safeParse(withoutClassKeys(val))
  if (!result.success) {
    const issue = result.error.issues[0]
    throw badRequest(`val is not a valid ${className}: ${['val', ...(issue?.path ?? [])].map(String).join('.')}: ${issue?.message}`)
  }
  return { ...result.data, _type: className, _class_name: className, _bases: ['BaseObject', 'BaseModel'] }
}
