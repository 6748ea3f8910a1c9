/** Names of the indexed payloads inside `idx` and `idx_gaps`: `span` and `res` are the attributes of the raw span and of its resource. */
export const indexRoots = {
  inputs: 'in',
  output: 'out',
  attributes: 'attr',
  summary: 'sum',
  val: 'val',
  spanAttributes: 'span',
  resourceAttributes: 'res',
} as const

export type IndexRoot = keyof typeof indexRoots

/** Roots of the raw span. Rows from before it was indexed have neither leaves nor unindexed paths of them. */
const rawSpanRoots: ReadonlySet<IndexRoot> = new Set<IndexRoot>(['spanAttributes', 'resourceAttributes'])

export function isInRawSpan(root: IndexRoot): boolean {
  return rawSpanRoots.has(root)
}

/** First entry of the `idx_gaps` of rows whose raw span is indexed. `*` marks a row without any index, so it needs none. */
export const rawSpanIsIndexed = '+'

/** A member of a payload that the index leaves out whatever it holds, and the unindexed paths that are then listed. */
export interface ExcludedMember {
  key: string
  unindexed: readonly string[]
}

export const excludedMembers: Partial<Record<IndexRoot, ExcludedMember>> = {
  // The raw span has a separate column. The one here is read if that column is empty.
  attributes: { key: 'otel_span', unindexed: [indexRoots.spanAttributes, indexRoots.resourceAttributes] },
  // Its keys are model names: each would be a path of the index, in every insert and every merge.
  summary: { key: 'usage', unindexed: ['sum.usage'] },
}

/** Keys below a root that the index follows. */
export const maxIndexDepth = 6

/** Where the index contains the value at a path. */
export interface IndexedPath {
  root: IndexRoot
  /** At least one. */
  segments: readonly string[]
}

/** Where the index may contain the value at a path of a payload; undefined for a whole payload, and for paths that it always omits. */
export function indexedPath(root: IndexRoot, segments: readonly string[]): IndexedPath | undefined {
  const [first, second, third] = segments
  if (root === 'attributes' && first === 'otel_span') {
    if (second === 'attributes') return below('spanAttributes', segments.slice(2))
    return second === 'resource' && third === 'attributes' ? below('resourceAttributes', segments.slice(3)) : undefined
  }
  return first === excludedMembers[root]?.key ? undefined : below(root, segments)
}

function below(root: IndexRoot, segments: readonly string[]): IndexedPath | undefined {
  return segments.length === 0 ? undefined : { root, segments }
}

const plain = /^[\w-]+$/
const dotted = /^[\w.-]+$/
const others = /[^\w-]+/g

/** A key as one part of an index path: bytes other than ASCII letters, digits, `_` and `-` are percent-escaped, so parts never hold a dot. */
export function escapeSegment(key: string): string {
  if (plain.test(key)) return key
  return dotted.test(key) ? key.replaceAll('.', '%2E') : key.replaceAll(others, escapeBytes)
}

function escapeBytes(text: string): string {
  let escaped = ''
  for (const byte of Buffer.from(text)) escaped += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return escaped
}

/** The path of a leaf inside `idx`. */
export function indexPath({ root, segments }: IndexedPath): string {
  return [indexRoots[root], ...segments.map(escapeSegment)].join('.')
}

/** The entries of `idx_gaps`, any of which means that the payload itself must be read for this path. */
export function unindexedEntries({ root, segments }: IndexedPath): string[] {
  const near = segments.slice(0, maxIndexDepth).map(escapeSegment)
  const prefixes = [indexRoots[root], ...near].map((_, end, parts) => parts.slice(0, end + 1).join('.'))
  const itself = segments.length <= maxIndexDepth ? [`|${prefixes.at(-1) ?? ''}{|`] : []
  return [...prefixes.map((prefix) => `|${prefix}|`), ...itself]
}

/** The paths that an `idx_gaps` lists as unindexed; for a row whose raw span is not indexed, both of its roots too. */
export function unindexedPaths(idx_gaps: string): string[] {
  const entries = idx_gaps.split('|').filter((entry) => entry !== '')
  if (entries[0] === rawSpanIsIndexed) return entries.slice(1)
  return [...entries, indexRoots.spanAttributes, indexRoots.resourceAttributes]
}
