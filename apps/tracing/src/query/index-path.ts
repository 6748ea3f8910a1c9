/** Names of the indexed payloads inside `idx` and `idx_gaps`. */
export const indexRoots = { inputs: 'in', output: 'out', attributes: 'attr', summary: 'sum', val: 'val' } as const

export type IndexRoot = keyof typeof indexRoots

/** Members of payloads that the index leaves out whatever they hold. `isGap`: they are read from the payload's text. */
export const leftOut: Partial<Record<IndexRoot, { key: string; isGap: boolean }>> = {
  // The raw span has a column of its own, which is read instead.
  attributes: { key: 'otel_span', isGap: false },
  // Its keys are model names: each would be a path of the index, in every insert and every merge.
  summary: { key: 'usage', isGap: true },
}

/** Keys below a root that the index follows. */
export const maxIndexDepth = 6

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
export function indexPath(root: IndexRoot, segments: readonly string[]): string {
  return [indexRoots[root], ...segments.map(escapeSegment)].join('.')
}

/** The entries of `idx_gaps` of which any one says that the payload itself must be read for this path. */
export function gapEntries(root: IndexRoot, segments: readonly string[]): string[] {
  const near = segments.slice(0, maxIndexDepth).map(escapeSegment)
  const prefixes = [indexRoots[root], ...near].map((_, end, parts) => parts.slice(0, end + 1).join('.'))
  const itself = segments.length <= maxIndexDepth ? [`|${prefixes.at(-1) ?? ''}{|`] : []
  return [...prefixes.map((prefix) => `|${prefix}|`), ...itself]
}
