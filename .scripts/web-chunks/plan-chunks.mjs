/**
 * @typedef {object} Part code that is always needed together
 * @property {string} name
 * @property {number} bytes compressed
 * @property {readonly string[]} imports names of the parts that it needs
 */
/**
 * @typedef {object} Chunk parts that are fetched together
 * @property {Part[]} parts
 * @property {bigint} pages one bit for each page that fetches it, above them one for each that fetches it later
 */
/**
 * @typedef {object} Join two chunks, and those they import that fewer pages fetch, which come to fetch them too
 * @property {bigint} pages
 * @property {bigint[]} chunks
 * @property {number} gain in bytes, the cost of requests included
 * @property {number} relieved how many pages with too many requests then have fewer
 */

/** What a request costs a page, compared with bytes that it does not need. */
const bytesOfRequest = 500
/** How much less it matters what a page fetches later. */
const weightOfLater = 0.4
/** How much more a byte weighs that makes a page too heavy. */
const weightOfExcess = 10

/**
 * Decides which code of pages is fetched together, so that each page fetches few files with little that it does not need. Pages that need a part fetch
 * the parts that it imports, so chunks never import each other in a circle.
 * @param {object} input
 * @param {readonly Part[]} input.parts
 * @param {readonly (readonly string[])[]} input.pages names of the parts that each page begins with
 * @param {readonly (readonly string[])[]} [input.later] names of the parts that pages fetch after their start: code that they share with other pages
 * is kept apart from what is of these pages alone
 * @param {number} input.requests number of chunks that a page fetches at most
 * @param {readonly number[]} [input.maxBytes] of the parts that each page fetches at its start, where fewer requests do not need more
 * @returns {{ parts: string[], pages: number[] }[]} chunks, those of the most pages first, with the indexes of their pages. Parts that no page needs at
 * once are left out.
 */
export function planChunks({ parts, pages, later = [], requests, maxBytes = [] }) {
  const atOnce = (1n << BigInt(pages.length)) - 1n
  const chunks = chunksByPages(parts, [...pages, ...later])
  for (const of of chunks.keys()) if ((of & atOnce) === 0n) chunks.delete(of)
  for (;;) {
    const loads = [...pages.keys()].map((page) => loadOf(chunks, page))
    const crowded = tooMany(chunks, pages.length, requests)
    const join = bestJoin(chunks, { atOnce, crowded, excess: (join) => excessOf(chunks, join, { loads, maxBytes }) })
    if (!join) break
    apply(chunks, join)
  }
  return [...chunks.values()]
    .toSorted((a, b) => countOf(b.pages & atOnce) - countOf(a.pages & atOnce) || countOf(b.pages) - countOf(a.pages))
    .map((chunk) => ({ parts: chunk.parts.map(({ name }) => name), pages: [...pages.keys()].filter((page) => has(chunk.pages, page)) }))
}

/** @param {bigint} pages @param {number} page */
const has = (pages, page) => ((pages >> BigInt(page)) & 1n) === 1n

/** @param {bigint} pages */
function countOf(pages) {
  let count = counts.get(pages) ?? 0
  if (count > 0) return count
  for (let left = pages; left > 0n; left &= left - 1n) count++
  counts.set(pages, count)
  return count
}
/** Counting is most of the work. @type {Map<bigint, number>} */
const counts = new Map()

/** Parts that the same pages need, by these pages. @param {readonly Part[]} parts @param {readonly (readonly string[])[]} pages */
function chunksByPages(parts, pages) {
  const byName = new Map(parts.map((part) => [part.name, part]))
  /** @type {Map<Part, bigint>} */
  const needed = new Map()
  for (const [page, names] of pages.entries()) {
    const found = new Set(names)
    for (const name of found) {
      const part = byName.get(name)
      if (!part) throw new Error(`no part is named ${name}`)
      needed.set(part, (needed.get(part) ?? 0n) | (1n << BigInt(page)))
      for (const imported of part.imports) found.add(imported)
    }
  }
  /** @type {Map<bigint, Chunk>} */
  const chunks = new Map()
  for (const [part, of] of needed) add(chunks, { parts: [part], pages: of })
  return chunks
}

/** @param {Map<bigint, Chunk>} chunks @param {Chunk} chunk */
function add(chunks, { parts, pages }) {
  const before = chunks.get(pages)
  if (before) before.parts.push(...parts)
  else chunks.set(pages, { parts: [...parts], pages })
}

/** Bytes that a page fetches. @param {Map<bigint, Chunk>} chunks @param {number} page */
const loadOf = (chunks, page) => [...chunks.values()].reduce((sum, chunk) => sum + (has(chunk.pages, page) ? bytesOf(chunk) : 0), 0)

/**
 * Bytes that pages fetch more than they may because of a join.
 * @param {Map<bigint, Chunk>} chunks @param {Join} join @param {{ loads: readonly number[], maxBytes: readonly number[] }} limits
 */
const excessOf = (chunks, join, { loads, maxBytes }) =>
  loads.reduce((excess, load, page) => {
    if (!has(join.pages, page)) return excess
    const added = join.chunks.reduce((sum, of) => sum + (has(of, page) ? 0 : bytesOf(chunks.get(of))), 0)
    return excess + Math.min(added, Math.max(0, load + added - (maxBytes[page] ?? Infinity)))
  }, 0)

/** Pages that fetch more than so many chunks. @param {Map<bigint, Chunk>} chunks @param {number} pages @param {number} requests */
function tooMany(chunks, pages, requests) {
  let found = 0n
  for (let page = 0; page < pages; page++)
    if ([...chunks.keys()].filter((of) => has(of, page)).length > requests) found |= 1n << BigInt(page)
  return found
}

/**
 * @param {Map<bigint, Chunk>} chunks
 * @param {{ atOnce: bigint, crowded: bigint, excess: (join: Join) => number }} pages all pages, without what they fetch later, those that must fetch
 * fewer chunks, and by how many bytes a join makes pages too heavy: such a join is made only where a page must fetch fewer
 * @returns {Join | undefined}
 */
function bestJoin(chunks, { atOnce, crowded, excess }) {
  const all = [...chunks.keys()]
  const imports = importsOf(chunks)
  /** @type {{ join: Join, score: number }[]} */
  const found = []
  for (const [index, first] of all.entries())
    for (const second of all.slice(index + 1)) {
      if ((first & second & (crowded || atOnce)) === 0n) continue
      const join = joinOf(chunks, { imports, first, second, atOnce, crowded })
      const score = crowded === 0n ? join.gain : join.gain / join.relieved
      if (crowded !== 0n || join.gain > 0) found.push({ join, score })
    }
  found.sort((one, other) => other.score - one.score)
  const best = found.find(({ join }) => excess(join) === 0)?.join
  if (best !== undefined || crowded === 0n) return best
  const weighed = found.map(({ join }) => ({ join, score: (join.gain - weightOfExcess * excess(join)) / join.relieved }))
  return weighed.toSorted((one, other) => other.score - one.score)[0]?.join
}

/** All chunks that each imports, through others too. @param {Map<bigint, Chunk>} chunks */
function importsOf(chunks) {
  const chunkOf = new Map([...chunks.values()].flatMap(({ parts, pages }) => parts.map(({ name }) => [name, pages])))
  const direct = new Map(
    [...chunks.values()].map(({ parts, pages }) => [
      pages,
      parts.flatMap((part) => part.imports.map((name) => chunkOf.get(name) ?? pages)),
    ]),
  )
  return new Map(
    [...chunks.keys()].map((pages) => {
      const found = new Set([pages])
      for (const one of found) for (const imported of direct.get(one) ?? []) found.add(imported)
      return [pages, found]
    }),
  )
}

/**
 * @param {Map<bigint, Chunk>} chunks
 * @param {{ imports: Map<bigint, Set<bigint>>, first: bigint, second: bigint, atOnce: bigint, crowded: bigint }} of
 * @returns {Join}
 */
function joinOf(chunks, { imports, first, second, atOnce, crowded }) {
  /** @param {bigint} of */
  const weightOf = (of) => countOf(of & atOnce) + weightOfLater * countOf(of & ~atOnce)
  const pages = first | second
  const joined = new Set([first, second])
  for (const imported of [...(imports.get(first) ?? []), ...(imports.get(second) ?? [])])
    if ((imported & pages) !== pages) joined.add(imported)
  let gain = 0
  const targets = new Set()
  for (const one of joined) {
    const target = one | pages
    const bytes = bytesOf(chunks.get(one))
    gain -= weightOf(target & ~one) * bytes
    gain += weightOf(one) * bytesOfRequest
    if (!targets.has(target) && (!chunks.has(target) || joined.has(target))) gain -= weightOf(target) * bytesOfRequest
    targets.add(target)
  }
  return { pages, chunks: [...joined], gain, relieved: countOf(first & second & crowded) }
}

/** @param {Chunk | undefined} chunk */
const bytesOf = (chunk) => chunk?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0

/** @param {Map<bigint, Chunk>} chunks @param {Join} join */
function apply(chunks, join) {
  const joined = join.chunks.flatMap((pages) => chunks.get(pages) ?? [])
  for (const { pages } of joined) chunks.delete(pages)
  for (const { parts, pages } of joined) add(chunks, { parts, pages: pages | join.pages })
}
