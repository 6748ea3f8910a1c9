import { isJsonNumber, JsonText, numberText } from '@heddle/core-api/internal'
import { parseJson } from '@heddle/json'
import { isInRawSpan, leftOut, maxIndexDepth, rawSpanIsIndexed, type IndexRoot } from './index-path.ts'
import { rootPlace, type IndexPlace } from './index-place.ts'
import { plainNumberText } from './number-text.ts'
import { sharedLeavesMark } from './shared-leaves.ts'

/** Of a text without a blank, which may be an id, an address or a ref; others are mostly prose, and nobody looks for a whole one. */
const maxWordLength = 200
const maxTextLength = 64
const maxKeys = 64
const maxGaps = 64
const maxGapsLength = 2_000
/** Of one root of a raw span. */
const maxRawSpanGaps = 48
const maxRawSpanGapsLength = 1_500
const listOpening = 0x5b

export interface RowIndex {
  /** The scalar leaves of the payloads: path and text in turn. */
  idx: readonly string[]
  /**
   * Sorted paths that `idx` left out, after a `+`, as `|+|in.messages|in.user{|`: `{` marks an object whose own text is not in `idx`.
   * `*`: too many to list.
   */
  idx_gaps: string
}

/** What the index holds of one payload, and what it leaves out. */
export interface RootIndex {
  leaves: readonly string[]
  gaps: readonly string[]
}

/**
 * Builds the bounded copy of payloads by which rows are filtered and sorted. Values are parsed JSON or hold ready texts, absent ones count as null.
 * Left out, and then listed: lists, texts above 200 characters and prose above 64, numbers whose text is not certain, objects of more than 64 keys
 * or below depth 6, keys that are empty or no whole text; of a raw span also objects of numbered keys, and what was sent as the text of an object.
 * What a raw span shares with the attributes of the call, which come before it, is held once (`shared-leaves.ts`).
 * `further` is the index of another payload.
 */
export function buildIndex(payloads: Partial<Record<IndexRoot, unknown>>, further: RootIndex = nothing): RowIndex {
  const walk = newWalk()
  for (const root in payloads) addRoot(walk, root as IndexRoot, payloads[root as IndexRoot])
  for (const part of further.leaves) walk.leaves.push(part)
  for (const gap of further.gaps) walk.gaps.push(gap)
  const idx_gaps = listGaps(walk.gaps)
  return { idx: idx_gaps === '*' ? [] : walk.leaves, idx_gaps }
}

const nothing: RootIndex = { leaves: [], gaps: [] }

/** The part of one payload, for rows that have it in common. */
export function indexRoot(root: IndexRoot, payload: unknown): RootIndex {
  const walk = newWalk()
  addRoot(walk, root, payload)
  return walk
}

function addRoot(walk: Walk, root: IndexRoot, payload: unknown): void {
  const inRawSpan = isInRawSpan(root)
  const place = rootPlace(root)
  const value = inRawSpan ? payload : readReady(payload)
  // A root is always read from its own column, so its own text is no gap; what lies beneath a list is one.
  if (!isNested(value)) return
  if (Array.isArray(value) || value instanceof JsonText) {
    walk.gaps.push(place.path)
    return
  }
  const { leaves, gaps } = walk
  const leavesBefore = leaves.length
  walk.gapsBefore = gaps.length
  walk.leftOut = leftOut[root]
  walk.inRawSpan = inRawSpan
  addObject(walk, value, { place, depth: 0 })
  if (!inRawSpan) return
  const shared = walk.shared.splice(0)
  if (isTooMuch(gaps.slice(walk.gapsBefore), maxRawSpanGaps, maxRawSpanGapsLength)) {
    leaves.length = leavesBefore
    gaps.length = walk.gapsBefore
    gaps.push(place.path)
  } else if (shared.length > 0) shareLeaves(walk, shared)
}

/** Leaves out what the span shares with the call where the call has nothing else at such paths: whoever asks for one then finds no other value. */
function shareLeaves({ leaves, gaps, shareable }: Walk, shared: readonly string[]): void {
  if (shared.length === shareable.size * 2) gaps.push(sharedLeavesMark)
  else for (const part of shared) leaves.push(part)
}

/** The value of a ready JSON text. A list is left out whatever it holds, so one is read as empty. */
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
  gaps: string[]
  /** Of the payloads before this one. */
  gapsBefore: number
  leftOut: { key: string; gaps: readonly string[] } | undefined
  inRawSpan: boolean
  /** Leaves of the call, by their paths, that its raw span may have as well. */
  shareable: Map<string, string>
  /** Leaves of the raw span that the call has as well: path and text in turn. */
  shared: string[]
}

const newWalk = (): Walk => ({
  leaves: [],
  gaps: [],
  gapsBefore: 0,
  leftOut: undefined,
  inRawSpan: false,
  shareable: new Map(),
  shared: [],
})

/** Where an object stands, with the number of keys between it and the root. */
interface Position {
  place: IndexPlace
  depth: number
}

function addObject(walk: Walk, value: object, { place, depth }: Position): void {
  const keys = Object.keys(value)
  // Numbered keys come first. Flattened lists have them.
  const isFlatList = walk.inRawSpan && keys[0] === '0'
  if (isFlatList || keys.length > maxKeys || depth >= maxIndexDepth || walk.gaps.length - walk.gapsBefore > maxGaps) {
    walk.gaps.push(place.path)
    return
  }
  if (depth > 0) walk.gaps.push(place.itself)
  for (const key of keys) {
    if (depth === 0 && key === walk.leftOut?.key) walk.gaps.push(...walk.leftOut.gaps)
    else addMember(walk, (value as Record<string, unknown>)[key], { key, parent: place, depth: depth + 1 })
  }
}

function addMember(walk: Walk, sent: unknown, { key, parent, depth }: { key: string; parent: IndexPlace; depth: number }): void {
  if (sent === null || sent === undefined) return
  const place = parent.below(key)
  const value = walk.inRawSpan ? sent : readReady(sent)
  if (isNested(value)) {
    if (place.isOfOneKey && !Array.isArray(value) && !(value instanceof JsonText)) addObject(walk, value, { place, depth })
    else walk.gaps.push(place.path)
    return
  }
  const leaf = place.isOfOneKey ? leafText(value) : undefined
  if (leaf === undefined) walk.gaps.push(place.path)
  else addLeaf(walk, place, leaf)
}

function addLeaf({ leaves, shareable, shared }: Walk, { path, sharedPath, mayBeShared }: IndexPlace, leaf: string): void {
  if (mayBeShared) shareable.set(path, leaf)
  const isShared = sharedPath !== undefined && shareable.get(sharedPath) === leaf
  if (isShared) shared.push(path, leaf)
  else leaves.push(path, leaf)
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isJsonNumber(value)
}

/** A scalar as text; undefined for what the index leaves out. */
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

/** An index that tells nothing: whatever is asked for is read from the payloads. */
export const unknownIndex: RowIndex = { idx: [], idx_gaps: '*' }

/** The index of two sets of payloads together, none of which is in both. */
export function joinIndexes(one: RowIndex, other: RowIndex): RowIndex {
  if (one.idx_gaps === '*' || other.idx_gaps === '*') return unknownIndex
  const idx_gaps = listGaps([...gapsOf(one), ...gapsOf(other)])
  return idx_gaps === '*' ? unknownIndex : { idx: [...one.idx, ...other.idx], idx_gaps }
}

function gapsOf({ idx_gaps }: RowIndex): string[] {
  return idx_gaps.slice(1, -1).split('|').slice(1)
}

/** Most recently made lists: calls of one kind have the same gaps. */
const recentLists: { gaps: readonly string[]; list: string }[] = []
const maxRecentLists = 8

function listGaps(gaps: readonly string[]): string {
  if (gaps.length === 0) return emptyIndex.idx_gaps
  const known = recentLists.find((each) => each.gaps.length === gaps.length && each.gaps.every((gap, index) => gap === gaps[index]))
  if (known !== undefined) return known.list
  const list = makeList(gaps)
  if (recentLists.unshift({ gaps, list }) > maxRecentLists) recentLists.pop()
  return list
}

function makeList(gaps: readonly string[]): string {
  // The gaps of a raw span have bounds of their own, so that they do not cost the other payloads their index.
  if (isTooMuch(gaps, maxGaps, maxGapsLength)) {
    const others = gaps.filter((gap) => !/^(?:=|(?:span|res)(?:[.{]|$))/.test(gap))
    if (isTooMuch(others, maxGaps, maxGapsLength)) return '*'
  }
  return `|${rawSpanIsIndexed}|${gaps.toSorted().join('|')}|`
}

function isTooMuch(gaps: readonly string[], count: number, length: number): boolean {
  if (gaps.length > count) return true
  let sum = 1
  for (const gap of gaps) sum += gap.length + 1
  return sum > length
}
