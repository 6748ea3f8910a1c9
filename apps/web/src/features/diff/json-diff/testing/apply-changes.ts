import type { ElementPlace, JsonChange } from '../diff-json.ts'

/** Makes the newer value out of the older one, by what a comparison of the two says and nothing else. */
export function applyChanges(value: unknown, changes: readonly JsonChange[]): unknown {
  const whole = changes.find(({ path }) => path.length === 0)
  if (whole) return whole.kind === 'removed' ? undefined : whole.after
  if (changes.length === 0) return value
  return Array.isArray(value) ? applyToList(value, changes) : applyToMembers(value as object, changes)
}

const inside = (change: JsonChange): JsonChange => ({ ...change, path: change.path.slice(1) })

function applyToMembers(value: object, changes: readonly JsonChange[]): object {
  const members = new Map<string, unknown>(Object.entries(value))
  for (const key of new Set(changes.map(({ path }) => path[0] as string))) {
    const own = changes.filter(({ path }) => path[0] === key).map(inside)
    if (own.length === 1 && own[0]?.kind === 'removed' && own[0].path.length === 0) members.delete(key)
    else members.set(key, applyChanges(members.get(key), own))
  }
  return Object.fromEntries(members)
}

/** What no change names is kept, in its order, where no other element stands. */
function applyToList(value: readonly unknown[], changes: readonly JsonChange[]): unknown[] {
  const placed = new Map<number, unknown>()
  const gone = new Set<number>()
  for (const change of changes) {
    const { before, after } = change.path[0] as ElementPlace
    if (before !== undefined) gone.add(before)
    if (after === undefined || placed.has(after)) continue
    const own = changes.filter(({ path }) => (path[0] as ElementPlace).after === after).map(inside)
    placed.set(after, applyChanges(before === undefined ? undefined : value[before], own))
  }
  const kept = value.filter((_, at) => !gone.has(at))
  return Array.from({ length: kept.length + placed.size }, (_, at) => (placed.has(at) ? placed.get(at) : kept.shift()))
}
