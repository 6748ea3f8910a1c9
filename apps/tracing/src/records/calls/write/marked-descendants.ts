import { setImmediate } from 'node:timers/promises'

/** Two halves of a 64-bit hash. */
type Hash = readonly [high: number, low: number]

/** A call as a node of its trace, by hashes of its id and of the id of its parent. */
export interface HashedNode {
  hash: Hash
  /** Of no node for a root. */
  parent: Hash
  /** Marked itself. */
  isGiven: boolean
}

/** Which nodes are given ones or below them. */
export interface MarkedDescendants {
  count: number
  has(hash: Hash): boolean
}

const initialSlots = 1 << 12
/** Nodes that are visited before other work may run. */
const nodesAtOnce = 50_000
const unknown = 0
const marked = 1
const unmarked = 2

/**
 * Marks the given nodes and all below them, in about 40 bytes a node, outside of the heap. Undefined where two nodes have the same hash: it is to be
 * repeated with hashes of another key.
 */
export async function markDescendants(nodes: AsyncIterable<readonly HashedNode[]>): Promise<MarkedDescendants | undefined> {
  const table = createHashTable()
  let parents = new Uint32Array(initialSlots)
  const given: number[] = []
  for await (const block of nodes) {
    for (const { hash, parent, isGiven } of block) {
      const index = table.add(hash)
      if (index === undefined) return undefined
      if (index * 2 + 1 >= parents.length) parents = grown(parents)
      parents[index * 2] = parent[0]
      parents[index * 2 + 1] = parent[1]
      if (isGiven) given.push(index)
    }
  }
  const states = new Uint8Array(table.size())
  for (const index of given) states[index] = marked
  const parentOf = (index: number) => table.find([parents[index * 2]!, parents[index * 2 + 1]!])
  let count = 0
  for (let index = 0; index < states.length; index++) {
    if (stateOf(index, states, parentOf) === marked) count++
    if (index % nodesAtOnce === nodesAtOnce - 1) await setImmediate()
  }
  return {
    count,
    has(hash) {
      const index = table.find(hash)
      return index !== undefined && states[index] === marked
    },
  }
}

/** Walks up to the first node whose state is known, and gives its state to all on the way. A loop of parents without a given node is not marked. */
function stateOf(index: number, states: Uint8Array, parentOf: (index: number) => number | undefined): number {
  const way: number[] = []
  let at: number | undefined = index
  while (at !== undefined && states[at] === unknown) {
    way.push(at)
    // Until its own state is known, so that a loop ends here.
    states[at] = unmarked
    at = parentOf(at)
  }
  const state = at === undefined ? unmarked : states[at]!
  for (const each of way) states[each] = state
  return states[index]!
}

/** Numbers hashes in the order in which they are added. */
function createHashTable() {
  let keys = new Uint32Array(initialSlots)
  let slots = new Uint32Array(initialSlots)
  let size = 0

  function slotOf([high, low]: Hash): number {
    const mask = slots.length - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = slots[slot]!
      if (number === 0 || (keys[number * 2 - 2] === high && keys[number * 2 - 1] === low)) return slot
    }
  }

  function rehash(): void {
    slots = new Uint32Array(slots.length * 2)
    for (let index = 0; index < size; index++) slots[slotOf([keys[index * 2]!, keys[index * 2 + 1]!])] = index + 1
  }

  return {
    size: () => size,
    /** Undefined for one that is there. */
    add(hash: Hash): number | undefined {
      if (size * 2 >= slots.length) rehash()
      const slot = slotOf(hash)
      if (slots[slot] !== 0) return undefined
      if (size * 2 + 1 >= keys.length) keys = grown(keys)
      keys[size * 2] = hash[0]
      keys[size * 2 + 1] = hash[1]
      slots[slot] = ++size
      return size - 1
    },
    find(hash: Hash): number | undefined {
      const number = slots[slotOf(hash)]!
      return number === 0 ? undefined : number - 1
    },
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
