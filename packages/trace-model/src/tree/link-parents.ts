/** What links need of a call. Times are numbers of any unit, the same for all calls. */
export interface LinkedCall {
  id: string
  /** Null for a call that names no parent. */
  parentId: string | null
  startedAt: number
}

/** The calls of a trace by their indexes in a list, and their parents. */
export interface ParentLinks {
  /** For each call the index of its parent, -1 for a root. The links form no cycle. */
  parents: Int32Array
  /** 1 for a call that names a parent which is not among the calls. */
  isOrphan: Uint8Array
  /** 1 for the call at which a cycle was cut: the one in the cycle that started first. */
  isCut: Uint8Array
  /** Indexes in an order in which every parent precedes its children. */
  order: Int32Array
}

/** Links calls to their parents. Ids are unique. Takes time in proportion to the calls, without recursion: a chain may be as long as a trace. */
export function linkParents(calls: readonly LinkedCall[]): ParentLinks {
  const indexes = new Map(calls.map(({ id }, index) => [id, index]))
  const parents = new Int32Array(calls.length).fill(-1)
  const isOrphan = new Uint8Array(calls.length)
  const isCut = new Uint8Array(calls.length)
  calls.forEach(({ parentId }, index) => {
    if (parentId === null) return
    const parent = indexes.get(parentId)
    if (parent === undefined) isOrphan[index] = 1
    else parents[index] = parent
  })
  for (const cut of findCuts(calls, parents)) {
    parents[cut] = -1
    isCut[cut] = 1
  }
  return { parents, isOrphan, isCut, order: parentsFirst(parents) }
}

/** The call in each cycle that started first, by id if several did. */
function findCuts(calls: readonly LinkedCall[], parents: Int32Array): number[] {
  const cuts: number[] = []
  /** 0: not visited; else the number of the walk that visited it. */
  const visitedBy = new Int32Array(parents.length)
  for (let start = 0; start < parents.length; start++) {
    let index = start
    while (index >= 0 && visitedBy[index] === 0) {
      visitedBy[index] = start + 1
      index = parents[index]!
    }
    if (index < 0 || visitedBy[index] !== start + 1) continue
    let first = index
    for (let member = parents[index]!; member !== index; member = parents[member]!) {
      if (startsBefore(calls[member]!, calls[first]!)) first = member
    }
    cuts.push(first)
  }
  return cuts
}

/** Whether a call started before another; for equal starts, whether it has the smaller id. */
export function startsBefore(one: LinkedCall, other: LinkedCall): boolean {
  return one.startedAt < other.startedAt || (one.startedAt === other.startedAt && one.id < other.id)
}

function parentsFirst(parents: Int32Array): Int32Array {
  const firstChild = new Int32Array(parents.length).fill(-1)
  const nextSibling = new Int32Array(parents.length).fill(-1)
  const order = new Int32Array(parents.length)
  let end = 0
  for (let index = parents.length - 1; index >= 0; index--) {
    const parent = parents[index]!
    if (parent < 0) order[end++] = index
    else {
      nextSibling[index] = firstChild[parent]!
      firstChild[parent] = index
    }
  }
  for (let at = 0; at < end; at++) {
    for (let child = firstChild[order[at]!]!; child >= 0; child = nextSibling[child]!) order[end++] = child
  }
  return order
}
