import { dirname } from 'node:path'

/** A file or folder. */
export interface Node {
  /** What a reader sees. */
  bytes: Buffer
  /** What survives any power cut. */
  synced: Buffer
  /** Offset from which a sync has failed once, which the system does not report again. */
  lostFrom: number
}

/** Files and folders by their paths, as a process sees them and as a power cut leaves them. */
export interface DurableTree {
  has(path: string): boolean
  /** @throws Error `ENOENT` */
  find(path: string): Node
  /** Adds an entry, which a power cut may lose until its folder is synced. @throws Error `ENOENT` without its folder */
  add(path: string, bytes?: Buffer): Node
  remove(path: string): void
  /** One change: a power cut leaves either both paths as they were, or both as they are, and a sync of either folder makes it durable. */
  rename(from: string, to: string): void
  /** Makes the entries of a folder durable. */
  syncFolder(folder: string): void
  /** Loses what was not synced, or keeps it, at random. */
  cutPower(random: () => number): void
  readonly paths: string[]
  readonly usedBytes: number
}

export function systemError(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code })
}

const nothing = Buffer.alloc(0)

export function createDurableTree(): DurableTree {
  const root: [string, Node] = ['/', { bytes: nothing, synced: nothing, lostFrom: Infinity }]
  let seen = new Map([root])
  let kept = new Map([root])
  /** Number of the last change of each path. */
  const changeOf = new Map<string, number>()
  let changes = 0

  function find(path: string): Node {
    const node = seen.get(path)
    if (!node) throw systemError('ENOENT', path)
    return node
  }

  function set(path: string, node: Node | undefined, change: number): void {
    if (node) seen.set(path, node)
    else seen.delete(path)
    changeOf.set(path, change)
  }

  function add(path: string, bytes = nothing): Node {
    find(dirname(path))
    const node = { bytes, synced: nothing, lostFrom: Infinity }
    set(path, node, changes++)
    return node
  }

  function isThere(tree: ReadonlyMap<string, Node>, path: string): boolean {
    return path === '/' || (tree.has(path) && isThere(tree, dirname(path)))
  }

  /** The entries after a power cut: each change is applied or not. */
  function survivors(random: () => number): Map<string, Node> {
    const coins = Array.from({ length: changes }, () => random() < 0.5)
    const left = new Map<string, Node>()
    for (const path of new Set([...kept.keys(), ...seen.keys()])) {
      const node = (coins[changeOf.get(path) ?? 0] ? seen : kept).get(path)
      if (node) left.set(path, node)
    }
    return new Map([...left].filter(([path]) => isThere(left, path)))
  }

  return {
    has: (path) => seen.has(path),
    find,
    add,
    remove: (path) => set(path, undefined, changes++),
    rename(from, to) {
      const node = find(from)
      set(to, node, changes)
      set(from, undefined, changes++)
    },
    syncFolder(folder) {
      const paths = new Set([...kept.keys(), ...seen.keys()])
      const synced = new Set([...paths].filter((path) => dirname(path) === folder).map((path) => changeOf.get(path)))
      for (const path of paths) {
        if (!synced.has(changeOf.get(path))) continue
        const node = seen.get(path)
        if (node) kept.set(path, node)
        else kept.delete(path)
      }
    },
    cutPower(random) {
      seen = survivors(random)
      for (const node of seen.values()) outlive(node, random)
      kept = new Map(seen)
    },
    get paths() {
      return [...seen.keys()]
    },
    get usedBytes() {
      return [...seen.values()].reduce((sum, { bytes }) => sum + bytes.length, 0)
    },
  }
}

/** Synced bytes stay, and of later ones a random prefix, or zeros. */
function outlive(node: Node, random: () => number): void {
  const length = node.synced.length + Math.round(random() * (node.bytes.length - node.synced.length))
  const bytes = Buffer.alloc(length)
  if (random() < 0.7) node.bytes.copy(bytes)
  node.synced.copy(bytes)
  Object.assign(node, { bytes, synced: bytes, lostFrom: Infinity })
}
