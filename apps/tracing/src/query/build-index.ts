import { isJsonNumber, JsonText, numberText } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import { type ExcludedMember, excludedMembers, isInRawSpan, maxIndexDepth, rawSpanIsIndexed, type IndexRoot } from './index-path.ts'
import { rootNode, type IndexNode } from './index-node.ts'
import { plainNumberText } from './number-text.ts'
import { sharedLeavesMark } from './shared-leaves.ts'

/**
 * Most characters of a text without a blank, which may be an id, an address or a ref; others are mostly prose, which is never searched as a whole.
 */
const maxWordLength = 200
const maxTextLength = 64
const maxKeys = 64
const maxUnindexed = 64
const maxUnindexedLength = 2_000
/** Limit for one root of a raw span. */
const maxRawSpanUnindexed = 48
const maxRawSpanUnindexedLength = 1_500
const listOpening = 0x5b

export interface RowIndex {
  /** The scalar leaves of the payloads: path and text in turn. */
  idx: readonly string[]
  /**
   * Sorted paths omitted from `idx`, after a `+`, as `|+|in.messages|in.user{|`: `{` marks an object whose own text is not in `idx`.
   * `*`: too many to list.
   */
  idx_gaps: string
}

/** The index of one payload, and the paths it omits. */
export interface RootIndex {
  leaves: readonly string[]
  unindexed: readonly string[]
}

/**
 * Builds the bounded copy of payloads by which rows are filtered and sorted. Values are parsed JSON or contain ready texts, absent ones count as
 * null. Omitted, and then listed: lists, texts above 200 characters and prose above 64, numbers whose text is uncertain, objects with more than 64
 * keys or below depth 6, keys that are empty or not well-formed; in a raw span also objects with numbered keys, and objects that were sent as text.
 * Values that a raw span shares with the attributes of the call, which precede it, are kept once (`shared-leaves.ts`). `further` is the index of
 * another payload.
 */
export function buildIndex(payloads: Partial<Record<IndexRoot, unknown>>, further: RootIndex = nothing): RowIndex {
  const walk = newWalk()
  for (const root in payloads) addRoot(walk, root as IndexRoot, payloads[root as IndexRoot])
  for (const part of further.leaves) walk.leaves.push(part)
  for (const path of further.unindexed) walk.unindexed.push(path)
  const idx_gaps = listUnindexed(walk.unindexed)
  return { idx: idx_gaps === '*' ? [] : walk.leaves, idx_gaps }
}

const nothing: RootIndex = { leaves: [], unindexed: [] }

/** The index of one payload, for rows that share it. */
export function indexRoot(root: IndexRoot, payload: unknown): RootIndex {
  const walk = newWalk()
  addRoot(walk, root, payload)
  return walk
}

function addRoot(walk: Walk, root: IndexRoot, payload: unknown): void {
  const inRawSpan = isInRawSpan(root)
  const node = rootNode(root)
  const value = inRawSpan ? payload : readReady(payload)
  // A root is always read from its own column, so its own text is not listed; what lies beneath a list is.
  if (!isNested(value)) return
  if (Array.isArray(value) || value instanceof JsonText) {
    walk.unindexed.push(node.path)
    return
  }
  const { leaves, unindexed } = walk
  const leavesBefore = leaves.length
  walk.unindexedBefore = unindexed.length
  walk.excluded = excludedMembers[root]
  walk.inRawSpan = inRawSpan
  addObject(walk, value, { node, depth: 0 })
  if (!inRawSpan) return
  const shared = walk.shared.splice(0)
  if (isTooMuch(unindexed.slice(walk.unindexedBefore), maxRawSpanUnindexed, maxRawSpanUnindexedLength)) {
    leaves.length = leavesBefore
    unindexed.length = walk.unindexedBefore
    unindexed.push(node.path)
  } else if (shared.length > 0) shareLeaves(walk, shared)
}

/** Omits the leaves that the span shares with the call if the call has no other leaves at such paths, so that a query finds no other value there. */
function shareLeaves({ leaves, unindexed, shareable }: Walk, shared: readonly string[]): void {
  if (shared.length === shareable.size * 2) unindexed.push(sharedLeavesMark)
  else for (const part of shared) leaves.push(part)
}

/** The value of a ready JSON text. A list is always omitted, so it is read as empty. */
function readReady(value: unknown): unknown {
  if (!(value instanceof JsonText)) return value
  return isList(value) ? [] : parseJson(value.source)
}

function isList({ source }: JsonText): boolean {
  return typeof source === 'string' ? source.startsWith('[') : source[0] === listOpening
}

/** Payloads while they are walked. */
interface Walk {
  leaves: string[]
  unindexed: string[]
  /** Number for the payloads before this one. */
  unindexedBefore: number
  excluded: ExcludedMember | undefined
  inRawSpan: boolean
  /** Leaves of the call, by their paths, that its raw span may have as well. */
  shareable: Map<string, string>
  /** Leaves of the raw span that the call has as well: path and text in turn. */
  shared: string[]
}

const newWalk = (): Walk => ({
  leaves: [],
  unindexed: [],
  unindexedBefore: 0,
  excluded: undefined,
  inRawSpan: false,
  shareable: new Map(),
  shared: [],
})

/** Position of an object, with the number of keys between it and the root. */
interface Position {
  node: IndexNode
  depth: number
}

function addObject(walk: Walk, value: object, { node, depth }: Position): void {
  const keys = Object.keys(value)
  // Numbered keys are first. Flattened lists have them.
  const isFlatList = walk.inRawSpan && keys[0] === '0'
  if (isFlatList || keys.length > maxKeys || depth >= maxIndexDepth || walk.unindexed.length - walk.unindexedBefore > maxUnindexed) {
    walk.unindexed.push(node.path)
    return
  }
  if (depth > 0) walk.unindexed.push(node.itself)
  for (const key of keys) {
    if (depth === 0 && key === walk.excluded?.key) walk.unindexed.push(...walk.excluded.unindexed)
    else addMember(walk, (value as Record<string, unknown>)[key], { key, parent: node, depth: depth + 1 })
  }
}

function addMember(walk: Walk, sent: unknown, { key, parent, depth }: { key: string; parent: IndexNode; depth: number }): void {
  if (sent === null || sent === undefined) return
  const node = parent.below(key)
  const value = walk.inRawSpan ? sent : readReady(sent)
  if (isNested(value)) {
    if (node.isOfOneKey && !Array.isArray(value) && !(value instanceof JsonText)) addObject(walk, value, { node, depth })
    else walk.unindexed.push(node.path)
    return
  }
  const leaf = node.isOfOneKey ? leafText(value) : undefined
  if (leaf === undefined) walk.unindexed.push(node.path)
  else addLeaf(walk, node, leaf)
}

function addLeaf({ leaves, shareable, shared }: Walk, { path, sharedPath, mayBeShared }: IndexNode, leaf: string): void {
  if (mayBeShared) shareable.set(path, leaf)
  const isShared = sharedPath !== undefined && shareable.get(sharedPath) === leaf
  if (isShared) shared.push(path, leaf)
  else leaves.push(path, leaf)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isJsonNumber(value)
}

/** A scalar as text; undefined for values that the index omits. */
function leafText(value: unknown): string | undefined {
  if (typeof value === 'string') return isShort(value) && value.isWellFormed() ? value : undefined
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : plainNumberText(numberText(value) ?? '-0')
}

function isShort(text: string): boolean {
  return text.length <= maxTextLength || (text.length <= maxWordLength && !text.includes(' '))
}

/** The index of nothing. */
export const emptyIndex: RowIndex = { idx: [], idx_gaps: `|${rawSpanIsIndexed}|` }

/** An empty index: all fields are read from the payloads. */
export const unknownIndex: RowIndex = { idx: [], idx_gaps: '*' }

/** The index of two sets of payloads together, none of which is in both. */
export function joinIndexes(one: RowIndex, other: RowIndex): RowIndex {
  if (one.idx_gaps === '*' || other.idx_gaps === '*') return unknownIndex
  const idx_gaps = listUnindexed([...unindexedPathsOf(one), ...unindexedPathsOf(other)])
  return idx_gaps === '*' ? unknownIndex : { idx: [...one.idx, ...other.idx], idx_gaps }
}

function unindexedPathsOf({ idx_gaps }: RowIndex): string[] {
  return idx_gaps.slice(1, -1).split('|').slice(1)
}

/** The most recent lists, for reuse: calls of one kind have the same unindexed paths. */
const recentLists: { unindexed: readonly string[]; list: string }[] = []
const maxRecentLists = 8

function listUnindexed(unindexed: readonly string[]): string {
  if (unindexed.length === 0) return emptyIndex.idx_gaps
  const known = recentLists.find(
    (each) => each.unindexed.length === unindexed.length && each.unindexed.every((path, index) => path === unindexed[index]),
  )
  if (known !== undefined) return known.list
  const list = makeList(unindexed)
  if (recentLists.unshift({ unindexed, list }) > maxRecentLists) recentLists.pop()
  return list
}

function makeList(unindexed: readonly string[]): string {
  // The unindexed paths of a raw span have separate bounds, so that they do not cost the other payloads their index.
  if (isTooMuch(unindexed, maxUnindexed, maxUnindexedLength)) {
    const others = unindexed.filter((path) => !/^(?:=|(?:span|res)(?:[.{]|$))/.test(path))
    if (isTooMuch(others, maxUnindexed, maxUnindexedLength)) return '*'
  }
  return `|${rawSpanIsIndexed}|${unindexed.toSorted().join('|')}|`
}

function isTooMuch(unindexed: readonly string[], count: number, length: number): boolean {
  if (unindexed.length > count) return true
  let sum = 1
  for (const path of unindexed) sum += path.length + 1
  return sum > length
}
