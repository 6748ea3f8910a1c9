import { numberText } from '@heddle/core-api'
import { escapeSegment, indexRoots, maxIndexDepth, type IndexRoot } from './index-path.ts'
import { plainNumberText } from './number-text.ts'

const maxTextLength = 200
const maxKeys = 64
const maxGaps = 64
const maxGapsLength = 2000

export interface RowIndex {
  /** JSON text: the scalar leaves of the payloads as text. */
  idx: string
  /** Sorted paths that `idx` left out, as `|in.messages|in.user{|`: `{` marks an object whose own text is not in `idx`. `*`: too many to list. */
  idx_gaps: string
}

/**
 * Builds the bounded copy of payloads by which rows are filtered and sorted. Values are parsed JSON, absent ones count as null.
 * Left out, and then listed: lists, texts above 200 characters, numbers whose text is not certain, objects of more than 64 keys or below depth 6, empty keys.
 */
export function buildIndex(payloads: Partial<Record<IndexRoot, unknown>>): RowIndex {
  const gaps: string[] = []
  let idx = ''
  for (const root of Object.keys(payloads) as IndexRoot[]) {
    const leaves = rootLeaves(root, payloads[root], gaps)
    idx += `${idx === '' ? '{' : ','}"${indexRoots[root]}":{${leaves}}`
  }
  const idx_gaps = listGaps(gaps)
  return { idx: idx === '' || idx_gaps === '*' ? '{}' : `${idx}}`, idx_gaps }
}

function rootLeaves(root: IndexRoot, value: unknown, gaps: string[]): string {
  // A root is always read from its own column, so its own text is no gap; what lies beneath a list is one.
  if (typeof value !== 'object' || value === null || numberText(value) !== undefined) return ''
  const path = indexRoots[root]
  if (Array.isArray(value)) {
    gaps.push(path)
    return ''
  }
  // The raw span has a column of its own, which is read instead.
  return objectLeaves(value, { path, depth: 0, gaps, skip: root === 'attributes' ? 'otel_span' : undefined })
}

interface Place {
  path: string
  depth: number
  gaps: string[]
  skip?: string | undefined
}

function objectLeaves(value: object, { path, depth, gaps, skip }: Place): string {
  const keys = Object.keys(value)
  if (keys.length > maxKeys || depth >= maxIndexDepth || gaps.length > maxGaps) {
    gaps.push(path)
    return ''
  }
  if (depth > 0) gaps.push(`${path}{`)
  let leaves = ''
  for (const key of keys) {
    if (key === skip) continue
    const segment = escapeSegment(key)
    const member = leaf((value as Record<string, unknown>)[key], { path: `${path}.${segment}`, depth: depth + 1, gaps }, key)
    if (member !== '') leaves += `${leaves === '' ? '' : ','}"${segment}":${member}`
  }
  return leaves
}

/** JSON text of what the index holds for a value; empty when it holds nothing. */
function leaf(value: unknown, place: Place, key: string): string {
  if (value === null || value === undefined) return ''
  if (key === '') return leftOut(place)
  if (typeof value === 'string') return textLeaf(value, place)
  if (typeof value === 'boolean') return value ? '"true"' : '"false"'
  const number = numberText(value)
  if (number !== undefined) {
    const text = plainNumberText(number)
    return text === undefined ? leftOut(place) : `"${text}"`
  }
  if (Array.isArray(value)) return leftOut(place)
  const leaves = objectLeaves(value, place)
  return leaves === '' ? '' : `{${leaves}}`
}

function textLeaf(value: string, place: Place): string {
  const text = value.length > maxTextLength ? undefined : JSON.stringify(value)
  // The engine refuses a row whose index holds half of a surrogate pair.
  return text === undefined || text.includes('\\ud') ? leftOut(place) : text
}

function leftOut({ path, gaps }: Place): string {
  gaps.push(path)
  return ''
}

function listGaps(gaps: string[]): string {
  if (gaps.length === 0) return ''
  if (gaps.length > maxGaps) return '*'
  const text = `|${gaps.sort().join('|')}|`
  return text.length > maxGapsLength ? '*' : text
}
