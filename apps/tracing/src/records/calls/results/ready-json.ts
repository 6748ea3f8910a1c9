import { isJsonObject, JsonText } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'

/** Stored data was within the limits of its request, which are not those of every request. */
const noLimits = { loneSurrogates: 'keep', maxDepth: 1_000, maxKeys: Infinity, maxValues: Infinity } as const

/** A value, parsed where it is a ready JSON text. */
export function readyJson(value: unknown): unknown {
  return value instanceof JsonText ? parseJson(value.source, noLimits) : value
}

/** A member of an object, ready or not; undefined if there is none. A ready text is only parsed if it may have the key. */
export function readyMember(value: unknown, key: string): unknown {
  if (value instanceof JsonText && !mayContain(value, key)) return undefined
  const object = readyJson(value)
  return isJsonObject(object) && Object.hasOwn(object, key) ? readyJson(object[key]) : undefined
}

/** A key may also be written with escapes. */
function mayContain({ source }: JsonText, key: string): boolean {
  const text = typeof source === 'string' ? source : Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  return text.includes(`"${key}"`) || text.includes('\\u')
}
