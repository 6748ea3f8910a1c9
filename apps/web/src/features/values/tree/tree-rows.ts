import { pathBelow } from '@heddle/core-api/internal'
import { isJsonNumber } from '@heddle/json/exact'
import { jsonText } from '../../../lib/texts/to-text.ts'

/** A member of a value, as a row of its tree. */
export interface TreeRow {
  /** The keys from the value down, as a query names them: `inputs.messages.0.content`. */
  path: string
  name: string
  depth: number
  value: unknown
  /** How many members it has; null for a text, a number and the like. */
  size: number | null
  /** Whether the members are those of a list, which is shown in brackets. */
  isList: boolean
}

/** Deeper values have their parts in the text alone: no page is that wide. */
const maxDepth = 60
/** More rows than this are omitted: they would not be read, and the page would keep them all. */
export const maxRows = 50_000

/**
 * The rows of a value, with the members of expanded rows, in their order, and whether more were omitted.
 * @param isOpen whether a row is expanded
 */
export function treeRows(
  value: unknown,
  { path, isOpen }: { path: string; isOpen: (row: TreeRow) => boolean },
): { rows: TreeRow[]; hasMore: boolean } {
  const rows: TreeRow[] = []
  // A stack with the next one last, instead of recursion: values may be nested deeper than the call stack allows.
  const waiting = membersOf({ path, value, depth: -1 }).reverse()
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    if (rows.length >= maxRows) return { rows, hasMore: true }
    rows.push(row)
    if (row.size !== null && isOpen(row)) for (const member of membersOf(row).reverse()) waiting.push(member)
  }
  return { rows, hasMore: false }
}

/** Members that a search found, by their paths, and all that they are in, which have to be open for them to be seen. */
export interface FoundMembers {
  found: ReadonlySet<string>
  above: ReadonlySet<string>
}

/** Finds up to `limit` members whose name or text contains the search text, ignoring case. */
export function findInTree(value: unknown, { path, words, limit }: { path: string; words: string; limit: number }): FoundMembers {
  const wanted = words.toLowerCase()
  const [found, above] = [new Set<string>(), new Set<string>()]
  const way: string[] = []
  for (const row of treeRows(value, { path, isOpen: () => true }).rows) {
    if (found.size >= limit) break
    way.length = row.depth
    const text = row.size === null ? leafText(row.value) : ''
    if (row.name.toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)) {
      found.add(row.path)
      for (const at of way) above.add(at)
    }
    way.push(row.path)
  }
  return { found, above }
}

/** A text as it is, and all else as JSON has it. */
export const leafText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))

function membersOf({ path, value, depth }: Pick<TreeRow, 'path' | 'value' | 'depth'>): TreeRow[] {
  if (depth >= maxDepth || !holdsMembers(value)) return []
  return Object.entries(value).map(([name, member]) => ({
    path: pathBelow(path, name),
    name,
    depth: depth + 1,
    value: member as unknown,
    size: holdsMembers(member) ? Object.keys(member).length : null,
    isList: Array.isArray(member),
  }))
}

/** What JSON writes as a list or with members. A number that is kept exactly is an object that JSON writes as a number. */
function holdsMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isJsonNumber(value)
}
