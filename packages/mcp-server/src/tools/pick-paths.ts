/** The parts of a value at dotted paths, in an object with the same nesting; the path '' is the whole value. Paths that lead nowhere are left out. */
export function pickPaths(value: unknown, paths: readonly string[]): unknown {
  if (paths.includes('')) return value
  const picked: Record<string, unknown> = {}
  for (const path of paths) {
    const found = valueAt(value, path)
    if (found !== undefined) picked[path] = found
  }
  return picked
}

/** The value at a dotted path of keys and list positions; undefined where there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = Reflect.get(at, key)
  }
  return at
}
