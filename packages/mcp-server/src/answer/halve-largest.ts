import { isJsonNumber, stringifyJson } from '@heddle/json/exact'

/** The data with the second half of its longest list, or of its largest object of more than 8 keys, omitted; undefined when nothing is that long. */
export function halveLargest(data: Record<string, unknown>): Record<string, unknown> | undefined {
  let longest: { size: number; path: readonly string[] } | undefined
  const look = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null || isJsonNumber(value)) return
    const keys = Object.keys(value)
    const isLong = Array.isArray(value) ? keys.length > 0 : keys.length > 8
    // The fields of the answer itself are few, and are kept.
    if (path.length > 0 && isLong) {
      const size = stringifyJson(value).length
      if (!longest || size > longest.size) longest = { size, path }
    }
    for (const key of keys) look(Reflect.get(value, key), [...path, key])
  }
  look(data, [])
  return longest && (halveAt(data, longest.path) as Record<string, unknown>)
}

function halveAt(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path
  if (Array.isArray(value)) {
    return key === undefined
      ? value.slice(0, Math.floor(value.length / 2))
      : value.map((item, at) => (String(at) === key ? halveAt(item, rest) : item))
  }
  const entries = Object.entries(value as object)
  if (key === undefined) return Object.fromEntries(entries.slice(0, Math.floor(entries.length / 2)))
  return Object.fromEntries(entries.map(([name, item]) => [name, name === key ? halveAt(item, rest) : item]))
}
