import { escapeSegment, indexRoots, type IndexRoot } from './index-path.ts'
import { mayBeShared, sharedPath } from './shared-leaves.ts'

/** Most cached nodes, and most characters of their keys, since keys are untrusted. */
const maxKept = 10_000
const maxKeptKey = 100

/** A node of the paths of the index. Its text is made once, however many rows have it. */
export class IndexNode {
  readonly path: string
  /** The entry of `idx_gaps` if the text of the object here is omitted, but its members are not. */
  readonly itself: string
  /** False where several keys may share this path, as keys with lone surrogates do, and where a key is empty, which no path can name. */
  readonly isOfOneKey: boolean
  /** The path of the call that may hold the same value. */
  readonly sharedPath: string | undefined
  /** Whether this is the `sharedPath` of a node of the span. */
  readonly mayBeShared: boolean
  readonly #below = new Map<string, IndexNode>()

  constructor(path: string, isOfOneKey: boolean) {
    this.path = path
    this.isOfOneKey = isOfOneKey
    this.itself = `${path}{`
    this.sharedPath = sharedPath(path)
    this.mayBeShared = mayBeShared(path)
  }

  /** The node of a member of this object. */
  below(key: string): IndexNode {
    const known = this.#below.get(key)
    if (known !== undefined) return known
    const node = new IndexNode(`${this.path}.${escapeSegment(key)}`, key !== '' && key.isWellFormed())
    if (key.length <= maxKeptKey) this.#keep(key, node)
    return node
  }

  #keep(key: string, node: IndexNode): void {
    if (kept.nodes === maxKept) kept = noNodes()
    kept.nodes += 1
    this.#below.set(key, node)
  }
}

interface CachedNodes {
  nodes: number
  roots: Partial<Record<IndexRoot, IndexNode>>
}

const noNodes = (): CachedNodes => ({ nodes: 0, roots: {} })

let kept = noNodes()

/** The node of a whole payload. */
export function rootNode(root: IndexRoot): IndexNode {
  return (kept.roots[root] ??= new IndexNode(indexRoots[root], true))
}
