import { dirname, join } from 'node:path/posix'
import ts from 'typescript'

/** @typedef {{ from: string, to: string }} Import */
/** @typedef {{ parent: string, folders: string[], imports: string[] }} Cycle */

/**
 * Folders next to each other that form an import cycle, tests left out: none of them can be understood, tested or moved without the others. An import
 * counts for the two folders where its paths part, so a file that lies in their common parent belongs to none of them.
 * @param {ReadonlyMap<string, string>} files text by path from the root
 * @returns {Cycle[]} by parent; `imports` has those of the direction with fewer, as `from → to`
 */
export function findCycles(files) {
  /** @type {Map<string, Map<string, Import[]>>} */
  const byParent = new Map()
  for (const [path, text] of files) {
    for (const { fileName } of ts.preProcessFile(text, true, false).importedFiles) {
      const to = fileName.startsWith('.') ? join(dirname(path), fileName) : ''
      const parted = files.has(to) && part(path, to)
      if (!parted) continue
      const imports = byParent.get(parted.parent) ?? new Map()
      byParent.set(parted.parent, imports)
      const key = `${parted.from} ${parted.to}`
      imports.set(key, [...(imports.get(key) ?? []), { from: path, to }])
    }
  }
  return [...byParent].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([parent, imports]) => cyclesOf(parent, imports))
}

/**
 * Where the paths of two files part. Undefined where one of the files lies in the folder that they share.
 * @param {string} from
 * @param {string} to
 */
function part(from, to) {
  const [one, other] = [from.split('/'), to.split('/')]
  const depth = one.findIndex((name, index) => name !== other[index])
  if (depth < 0 || depth >= one.length - 1 || depth >= other.length - 1) return undefined
  return { parent: one.slice(0, depth).join('/'), from: one[depth], to: other[depth] }
}

/**
 * @param {string} parent
 * @param {ReadonlyMap<string, Import[]>} imports by `from to`
 * @returns {Cycle[]}
 */
function cyclesOf(parent, imports) {
  const edges = [...imports].map(([key, list]) => ({ pair: key.split(' '), list }))
  const names = [...new Set(edges.flatMap(({ pair }) => pair))].toSorted()
  /** @param {string} start @returns {Set<string>} folders that it reaches */
  const reached = (start) => {
    const found = new Set()
    const open = [start]
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      for (const { pair } of edges) {
        if (pair[0] !== name || found.has(pair[1])) continue
        found.add(pair[1])
        open.push(pair[1] ?? '')
      }
    }
    return found
  }
  const reach = new Map(names.map((name) => [name, reached(name)]))
  /** @param {string} one @param {string} other */
  const inCycle = (one, other) => reach.get(one)?.has(other) && reach.get(other)?.has(one)
  const firsts = names.filter((name) => names.find((other) => inCycle(name, other)) === name)
  return firsts.map((first) => {
    const folders = names.filter((name) => inCycle(first, name))
    const inside = edges.filter(({ pair }) => pair.every((name) => folders.includes(name ?? '')))
    const fewest = inside.toSorted((one, other) => one.list.length - other.list.length)[0]
    return { parent, folders, imports: (fewest?.list ?? []).map(({ from, to }) => `${from} → ${to}`) }
  })
}
