import { isJsonNumber, JsonText, numberText } from '@heddle/core-api'
import { parseJson } from '@heddle/service-kit/json'
import { escapeSegment, indexRoots, leftOut, maxIndexDepth, type IndexRoot } from './index-path.ts'
import { plainNumberText } from './number-text.ts'
import { jsonString } from '../payload/json-string.ts'

const maxTextLength = 200
const maxKeys = 64
const maxGaps = 64
const maxGapsLength = 2000
const listOpening = 0x5b

export interface RowIndex {
  /** JSON text: the scalar leaves of the payloads as text. */
  idx: string
  /** Sorted paths that `idx` left out, as `|in.messages|in.user{|`: `{` marks an object whose own text is not in `idx`. `*`: too many to list. */
  idx_gaps: string
}

/**
 * Builds the bounded copy of payloads by which rows are filtered and sorted. Values are parsed JSON or hold ready texts, absent ones count as null.
 * Left out, and then listed: lists, texts above 200 characters, numbers whose text is not certain, objects of more than 64 keys or below depth 6, empty keys.
 */
export function buildIndex(payloads: Partial<Record<IndexRoot, unknown>>): RowIndex {
  const gaps: string[] = []
  let idx = ''
  for (const root of Object.keys(payloads) as IndexRoot[]) {
    const leaves = rootLeaves(root, readReady(payloads[root]), gaps)
    idx += `${idx === '' ? '{' : ','}"${indexRoots[root]}":{${leaves}}`
  }
  const idx_gaps = listGaps(gaps)
  return { idx: idx === '' || idx_gaps === '*' ? '{}' : `${idx}}`, idx_gaps }
}

function rootLeaves(root: IndexRoot, value: unknown, gaps: string[]): string {
  // A root is always read from its own column, so its own text is no gap; what lies beneath a list is one.
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return ''
  const path = indexRoots[root]
  if (Array.isArray(value)) {
    gaps.push(path)
    return ''
  }
  return objectLeaves(value, { path, depth: 0, gaps, leftOut: leftOut[root] })
}

/** The value of a ready JSON text. A list is left out whatever it holds, so one is read as empty. */
function readReady(value: unknown): unknown {
  if (!(value instanceof JsonText)) return value
  return isList(value) ? [] : parseJson(value.source)
}

function isList({ source }: JsonText): boolean {
  return typeof source === 'string' ? source.startsWith('[') : source[0] === listOpening
}

/** The object whose members are looked at. */
interface Place {
  path: string
  /** Keys between the root and the object. */
  depth: number
  gaps: string[]
  leftOut?: { key: string; isGap: boolean } | undefined
}

function objectLeaves(value: object, place: Place): string {
  const keys = Object.keys(value)
  const { path, depth, gaps } = place
  if (keys.length > maxKeys || depth >= maxIndexDepth || gaps.length > maxGaps) {
    gaps.push(path)
    return ''
  }
  if (depth > 0) gaps.push(`${path}{`)
  let leaves = ''
  for (const key of keys) {
    const segment = escapeSegment(key)
    if (key === place.leftOut?.key) {
      if (place.leftOut.isGap) gaps.push(`${path}.${segment}`)
      continue
    }
    const member = memberText(readReady((value as Record<string, unknown>)[key]), segment, place)
    if (member !== '') leaves += leaves === '' ? `"${segment}":${member}` : `,"${segment}":${member}`
  }
  return leaves
}

/** JSON text of what the index holds for a member of an object; empty when it holds nothing. */
function memberText(value: unknown, segment: string, parent: Place): string {
  if (value === null || value === undefined) return ''
  const isNested = typeof value === 'object' && !isJsonNumber(value)
  if (segment !== '' && !isNested) {
    const leaf = leafText(value)
    if (leaf !== undefined) return leaf
  }
  const path = `${parent.path}.${segment}`
  if (segment === '' || !isNested || Array.isArray(value)) {
    parent.gaps.push(path)
    return ''
  }
  const leaves = objectLeaves(value, { path, depth: parent.depth + 1, gaps: parent.gaps })
  return leaves === '' ? '' : `{${leaves}}`
}

/** A scalar as the JSON of its text; undefined for what the index leaves out. */
function leafText(value: unknown): string | undefined {
  if (typeof value === 'string') return stringLeaf(value)
  if (typeof value === 'boolean') return value ? '"true"' : '"false"'
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : plainNumberText(numberText(value) ?? '-0')
  return text === undefined ? undefined : `"${text}"`
}

function stringLeaf(value: string): string | undefined {
  if (value.length > maxTextLength) return undefined
  const text = jsonString(value)
  // The engine refuses a row whose index holds half of a surrogate pair.
  return text.includes('\\ud') ? undefined : text
}

/** The index of nothing. */
export const emptyIndex: RowIndex = { idx: '{}', idx_gaps: '' }

/** The index of two sets of payloads together, none of which is in both. */
export function joinIndexes(one: RowIndex, other: RowIndex): RowIndex {
  if (one.idx_gaps === '*' || other.idx_gaps === '*') return { idx: '{}', idx_gaps: '*' }
  if (other.idx === '{}') return one
  if (one.idx === '{}') return other
  const idx_gaps = listGaps([...gapsOf(one), ...gapsOf(other)])
  return { idx: idx_gaps === '*' ? '{}' : `${one.idx.slice(0, -1)},${other.idx.slice(1)}`, idx_gaps }
}

function gapsOf({ idx_gaps }: RowIndex): string[] {
  return idx_gaps === '' ? [] : idx_gaps.slice(1, -1).split('|')
}

function listGaps(gaps: string[]): string {
  if (gaps.length === 0) return ''
  if (gaps.length > maxGaps) return '*'
  const text = `|${gaps.sort().join('|')}|`
  return text.length > maxGapsLength ? '*' : text
}
