import { escapeSegment, indexRoots, type IndexRoot } from './index-path.ts'
import { mayBeShared, sharedPath } from './shared-leaves.ts'

/** Places that are kept, and characters of a key that is: keys come from strangers. */
const maxKept = 10_000
const maxKeptKey = 100

/** A place in the index. Its text is made once, however many rows have it. */
export class IndexPlace {
  readonly path: string
  /** What `idx_gaps` lists where the text of the object at this place is left out, and its members are not. */
  readonly itself: string
  /** False where different keys may have this path: for keys of which a part is no character. Nor can an empty key be addressed. */
  readonly isOfOneKey: boolean
  /** The path of the call that may hold the same value. */
  readonly sharedPath: string | undefined
  /** Whether this is the `sharedPath` of a place of the span. */
  readonly mayBeShared: boolean
  readonly #below = new Map<string, IndexPlace>()

  constructor(path: string, isOfOneKey: boolean) {
    this.path = path
    this.isOfOneKey = isOfOneKey
    this.itself = `${path}{`
    this.sharedPath = sharedPath(path)
    this.mayBeShared = mayBeShared(path)
  }

  /** The place of a member of the object that stands here. */
  below(key: string): IndexPlace {
    const known = this.#below.get(key)
    if (known !== undefined) return known
    const place = new IndexPlace(`${this.path}.${escapeSegment(key)}`, key !== '' && key.isWellFormed())
    if (key.length <= maxKeptKey) this.#keep(key, place)
    return place
  }

  #keep(key: string, place: IndexPlace): void {
    if (kept.places === maxKept) kept = noPlaces()
    kept.places += 1
    this.#below.set(key, place)
  }
}

interface KeptPlaces {
  places: number
  roots: Partial<Record<IndexRoot, IndexPlace>>
}

const noPlaces = (): KeptPlaces => ({ places: 0, roots: {} })

let kept = noPlaces()

/** The place of a whole payload. */
export function rootPlace(root: IndexRoot): IndexPlace {
  return (kept.roots[root] ??= new IndexPlace(indexRoots[root], true))
}
