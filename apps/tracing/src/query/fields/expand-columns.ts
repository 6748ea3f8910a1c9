import { badRequest } from '@heddle/core-api/internal'
import { parsePath } from './parse-path.ts'
import type { PayloadPath } from './read/read-payload.ts'

const maxExpandColumns = 100

/** Payload paths, shallowest first. Entries that are not payload paths expand nothing. @throws 400 above 100 columns. */
export function parseExpandColumns(columns: readonly string[]): PayloadPath[] {
  if (columns.length > maxExpandColumns)
    throw badRequest(`expand_columns has ${columns.length} entries, at most ${maxExpandColumns} are allowed`)
  const payloads = [...new Set(columns)].flatMap((column) => {
    const [root = '', ...segments] = parsePath(column)
    return isPayloadRoot(root) && segments.length > 0 ? [{ root, segments }] : []
  })
  return payloads.sort((a, b) => a.segments.length - b.segments.length)
}

/** True for a path that leads further from the position. */
export function isBelow(path: PayloadPath, position: PayloadPath): boolean {
  if (path.root !== position.root || path.segments.length <= position.segments.length) return false
  return position.segments.every((segment, index) => segment === path.segments[index])
}

function isPayloadRoot(root: string): root is PayloadPath['root'] {
  return root === 'inputs' || root === 'output' || root === 'attributes' || root === 'summary'
}
