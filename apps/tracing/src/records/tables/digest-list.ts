import { digestsPerChunk } from '@heddle/datastore'

/** Digests of this many positions are read together when the whole list is iterated. */
const readAtOnce = 50_000
const largestPart = 2 * digestsPerChunk

/** Reads digests of the stored list: `count` positions from `start`. */
export type DigestReader = (range: { start: number; count: number }) => Promise<string[]>

/** A part of the list: digests in memory, or a range of the stored list that nothing has touched. */
type Part = { digests: string[] } | { start: number; count: number }

/** A list of digests that begins as a stored one. Untouched parts are not kept: memory is that of the touched parts and the new digests. */
export interface DigestList {
  readonly length: number
  append(digest: string): void
  /** Inserts the digest before position `index`, which is 0 to `length`. */
  insert(index: number, digest: string): Promise<void>
  /** Takes out the digest at `index`, which is 0 to `length - 1`. */
  remove(index: number): Promise<string>
  /** All digests in order. May be iterated more than once. */
  readonly parts: AsyncIterable<readonly string[]>
}

export function createDigestList(storedLength: number, read: DigestReader): DigestList {
  const parts: Part[] = []
  for (let start = 0; start < storedLength; start += digestsPerChunk)
    parts.push({ start, count: Math.min(digestsPerChunk, storedLength - start) })
  let length = storedLength

  /** The digests around a position, kept in memory afterwards, and the index in them. */
  async function touch(index: number): Promise<{ digests: string[]; at: number }> {
    let at = index
    let number = 0
    for (; number < parts.length - 1 && at >= sizeOf(parts[number]); number++) at -= sizeOf(parts[number])
    const part = parts[number]
    if (part === undefined) return { digests: newLastPart(), at: 0 }
    if ('start' in part) {
      const digests = await read(part)
      parts[number] = { digests }
      return { digests, at }
    }
    if (part.digests.length <= largestPart) return { digests: part.digests, at }
    parts.splice(number, 1, ...halves(part.digests))
    return touch(index)
  }

  function newLastPart(): string[] {
    const digests: string[] = []
    parts.push({ digests })
    return digests
  }

  return {
    get length() {
      return length
    },
    append(digest) {
      const last = parts.at(-1)
      const isOpen = last !== undefined && 'digests' in last && last.digests.length < largestPart
      const digests = isOpen ? last.digests : newLastPart()
      digests.push(digest)
      length++
    },
    async insert(index, digest) {
      const { digests, at } = await touch(index)
      digests.splice(at, 0, digest)
      length++
    },
    async remove(index) {
      const { digests, at } = await touch(index)
      const [removed = ''] = digests.splice(at, 1)
      length--
      return removed
    },
    parts: { [Symbol.asyncIterator]: () => readParts(parts, read) },
  }
}

async function* readParts(parts: readonly Part[], read: DigestReader): AsyncGenerator<readonly string[]> {
  let number = 0
  for (let part = parts[number]; part !== undefined; part = parts[number]) {
    if ('digests' in part) {
      yield part.digests
      number++
    } else {
      const { run, end } = untouchedRun(parts, number)
      yield await read(run)
      number = end
    }
  }
}

function sizeOf(part: Part | undefined): number {
  if (part === undefined) return 0
  return 'digests' in part ? part.digests.length : part.count
}

function halves(digests: string[]): Part[] {
  const middle = digests.length >> 1
  return [{ digests: digests.slice(0, middle) }, { digests: digests.slice(middle) }]
}

/** Consecutive untouched parts from `number` on, as one range, up to the number read together. */
function untouchedRun(parts: readonly Part[], number: number): { run: { start: number; count: number }; end: number } {
  const run = { start: 0, count: 0 }
  let end = number
  for (let part = parts[end]; part !== undefined && 'start' in part; part = parts[end]) {
    if (run.count === 0) run.start = part.start
    else if (run.start + run.count !== part.start || run.count + part.count > readAtOnce) break
    run.count += part.count
    end++
  }
  return { run, end }
}
