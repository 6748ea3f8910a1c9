import type { AxisValue } from '../../../features/parallel-coordinates/axis.ts'

/** Levels of a model that are looked into, and fields of it that are read. */
const maxDepth = 3
export const maxFields = 100
/** Longer texts are not parameters. */
const maxCharacters = 80
/** Fields of a model that are not parameters. */
const notParameters = new Set(['name', 'description', 'files'])

/** The numbers, booleans and short texts of a model by their dotted paths, without lists, references and the server's type markers. */
export function modelFields(model: unknown): Map<string, AxisValue> {
  const fields = new Map<string, AxisValue>()
  addFields(fields, model, [])
  return fields
}

function addFields(fields: Map<string, AxisValue>, value: unknown, path: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [name, field] of Object.entries(value)) {
    if (fields.size >= maxFields) return
    if (name.startsWith('_') || (path.length === 0 && notParameters.has(name))) continue
    const own = [...path, name]
    const read = toAxisValue(field)
    if (read !== undefined) fields.set(own.join('.'), read)
    else if (own.length < maxDepth) addFields(fields, field, own)
  }
}

function toAxisValue(value: unknown): AxisValue | undefined {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const isShort = typeof value === 'string' && value !== '' && value.length <= maxCharacters
  return isShort && !value.startsWith('weave:///') ? value : undefined
}
