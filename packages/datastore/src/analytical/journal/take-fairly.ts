/** A block that waits to be written to the journal. */
export interface WaitingBlock {
  /** Whose it is. */
  tenant: string
  bytes: number
}

/**
 * Divides the blocks that wait, in their order, into those of the next write to disk and the rest. One tenant alone, and what is small, is written as a
 * whole. Where several tenants have more than `maxBytes`, the write takes the block that waits longest, and then one block of each tenant after the
 * other until it has so many bytes, beginning with those of whom the least waits: so what a tenant sends in bulk is not in every write of the others,
 * and no block waits for ever. Blocks of one tenant keep their order.
 */
export function takeFairly<B extends WaitingBlock>(waiting: readonly B[], maxBytes: number): { taken: B[]; left: B[] } {
  const queues = new Map<string, B[]>()
  for (const block of waiting) {
    const own = queues.get(block.tenant)
    if (own === undefined) queues.set(block.tenant, [block])
    else own.push(block)
  }
  if (queues.size <= 1 || sumOf(waiting) <= maxBytes) return { taken: [...waiting], left: [] }
  const taken = new Set<B>()
  let bytes = 0
  const take = (block: B | undefined) => {
    if (block === undefined || taken.has(block)) return
    taken.add(block)
    bytes += block.bytes
  }
  take(waiting[0])
  const smallestFirst = [...queues.values()].toSorted((one, other) => sumOf(one) - sumOf(other))
  for (let round = 0; bytes < maxBytes; round++)
    for (const queue of smallestFirst) {
      if (bytes >= maxBytes) break
      take(queue[round])
    }
  return { taken: [...taken], left: waiting.filter((block) => !taken.has(block)) }
}

function sumOf(blocks: readonly WaitingBlock[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes, 0)
}
