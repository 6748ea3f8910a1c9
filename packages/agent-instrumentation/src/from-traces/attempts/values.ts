/** The value at a dotted path of keys and list positions; a key that holds dots itself is found as a whole. Undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  const whole = memberOf(value, path)
  if (whole !== undefined || !path.includes('.')) return whole
  let at = value
  for (const key of path.split('.')) {
    at = memberOf(at, key)
    if (at === undefined) return undefined
  }
  return at
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
}

/** Numbers as they are, booleans as 1 and 0; undefined for anything else, and for what is not finite. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
