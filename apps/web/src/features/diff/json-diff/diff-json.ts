import { isJsonNumber } from '@heddle/json/exact'
import { commonElements, type CommonPlace } from './common-elements.ts'
import { type ContentIds, createContentIds } from './content-ids.ts'

/** Index of an element in a list: in the older value, in the newer one, or in both. */
export interface ElementPlace {
  before?: number
  after?: number
}

/** Keys of objects, and indexes in lists, from the outside in. */
export type JsonPath = readonly (string | ElementPlace)[]

/** A part of a value that only the newer one has, only the older one, or that was replaced by another. */
export type JsonChange =
  | { kind: 'added'; path: JsonPath; after: unknown }
  | { kind: 'removed'; path: JsonPath; before: unknown }
  | { kind: 'changed'; path: JsonPath; before: unknown; after: unknown }

export interface JsonDifferences {
  changes: JsonChange[]
  /** Lists that were too long for a common subsequence, and were compared by position. */
  listsByPosition: number
}

/** Levels of values; deeper ones are not compared. */
export const maxLevels = 500

class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp'
}

/**
 * The changes that turn the older value into the newer one, in the order of the keys. The order of keys is ignored. Elements of lists are matched by
 * a longest common subsequence; those between matches are paired by position, and compared inside. Swapping the values swaps the changes. Undefined
 * if it took longer than the limit, or a value has more than 500 levels.
 */
export function diffJson(before: unknown, after: unknown, limitMs = Number.POSITIVE_INFINITY): JsonDifferences | undefined {
  if (isTooDeep(before) || isTooDeep(after)) return undefined
  const endMs = performance.now() + limitMs
  let steps = 0
  const checkTime = () => {
    if (++steps % 512 === 0 && performance.now() > endMs) throw new TimeIsUp()
  }
  const differences: JsonDifferences = { changes: [], listsByPosition: 0 }
  try {
    compareValues({ before, after, path: [] }, { differences, checkTime, ids: createContentIds(checkTime) })
  } catch (error) {
    if (error instanceof TimeIsUp) return undefined
    throw error
  }
  return performance.now() > endMs ? undefined : differences
}

interface ValuePair<Value = unknown> {
  before: Value
  after: Value
  path: JsonPath
}

interface Work {
  differences: JsonDifferences
  ids: ContentIds
  checkTime: () => void
}

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)

function compareValues({ before, after, path }: ValuePair, work: Work): void {
  work.checkTime()
  if (work.ids.idOf(before) === work.ids.idOf(after)) return
  if (Array.isArray(before) && Array.isArray(after)) compareLists({ before, after, path }, work)
  else if (isMembers(before) && isMembers(after)) compareMembers({ before, after, path }, work)
  else work.differences.changes.push({ kind: 'changed', path, before, after })
}

function compareMembers({ before, after, path }: ValuePair<Record<string, unknown>>, work: Work): void {
  const { changes } = work.differences
  for (const key of [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()) {
    const inner = [...path, key]
    if (!Object.hasOwn(after, key)) changes.push({ kind: 'removed', path: inner, before: before[key] })
    else if (Object.hasOwn(before, key)) compareValues({ before: before[key], after: after[key], path: inner }, work)
    else changes.push({ kind: 'added', path: inner, after: after[key] })
  }
}

function compareLists({ before, after, path }: ValuePair<readonly unknown[]>, work: Work): void {
  const common = commonPlaces(before, after, work.ids)
  if (!common) work.differences.listsByPosition++
  let [one, other] = [0, 0]
  for (const [nextOne, nextOther] of [...(common ?? []), [before.length, after.length] as const]) {
    compareBetween({ before, after, path }, { one, other, nextOne, nextOther }, work)
    one = nextOne + 1
    other = nextOther + 1
  }
}

/** In an order that depends on the content alone, so that swapped lists have the same elements in common. */
function commonPlaces(before: readonly unknown[], after: readonly unknown[], ids: ContentIds): readonly CommonPlace[] | undefined {
  const isSwapped = comesAfter(before.map(ids.hashOf), after.map(ids.hashOf))
  const [first, second] = isSwapped ? [after, before] : [before, after]
  const common = commonElements(first.map(ids.idOf), second.map(ids.idOf))
  return isSwapped ? common?.map(([one, other]) => [other, one]) : common
}

function comesAfter(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((hash, place) => hash !== other[place])
  return one.length === other.length ? (one[at] ?? 0) > (other[at] ?? 0) : one.length > other.length
}

interface Between {
  one: number
  other: number
  /** Indexes of the next common element. */
  nextOne: number
  nextOther: number
}

function compareBetween(
  { before, after, path }: ValuePair<readonly unknown[]>,
  { one, other, nextOne, nextOther }: Between,
  work: Work,
): void {
  const { changes } = work.differences
  for (let step = 0; step < Math.max(nextOne - one, nextOther - other); step++) {
    const [old, now] = [one + step, other + step]
    if (old >= nextOne) changes.push({ kind: 'added', path: [...path, { after: now }], after: after[now] })
    else if (now >= nextOther) changes.push({ kind: 'removed', path: [...path, { before: old }], before: before[old] })
    else compareValues({ before: before[old], after: after[now], path: [...path, { before: old, after: now }] }, work)
  }
}

/** Level by level, as a value may be too deep for functions that call themselves. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevels) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null && !isJsonNumber(one) ? Object.values(one) : []))
  }
  return false
}
