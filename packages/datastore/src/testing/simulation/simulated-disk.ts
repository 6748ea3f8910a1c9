import type * as promises from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Timing } from '../../timing.ts'
import { createDurableTree, type Node, systemError } from './durable-tree.ts'

type Files = typeof promises

/** Faults of a simulated disk. */
export interface DiskState {
  /** Probability that an operation fails. */
  failing: number
  /** Capacity in bytes. */
  capacity: number
  /** Bytes used by others. */
  othersBytes: number
  /** Maximum milliseconds of an operation. */
  slowestMs: number
}

/**
 * A disk in memory for one process at a time. Operations are delayed, write less than asked, and fail, at random.
 * Supports only the operations that a journal uses.
 */
export interface SimulatedDisk {
  /** For `vi.mock('node:fs/promises')`. */
  wrap(original: Files): Files
  /** Resets the disk to one empty folder. */
  begin(options: { timing: Timing; state: DiskState; folder: string }): void
  /** May be changed at any time. */
  readonly state: DiskState
  /** Kills the process during its operations: each is done, half done or not done. With a power cut, unsynced bytes may be lost. */
  end(how: 'process' | 'power'): void
  /** Current content of a file, as another process reads it. @throws Error `ENOENT` */
  read(path: string): Buffer
  readonly paths: string[]
  /** Files that are open. */
  readonly open: number
}

export function createSimulatedDisk(): SimulatedDisk {
  let tree = createDurableTree()
  let timing: Timing
  let state: DiskState
  let open = 0
  /** First halves of the writes in progress. */
  const halves = new Set<() => void>()

  const entriesOf = (folder: string) => tree.paths.filter((path) => dirname(path) === folder)
  const bytesLeft = () => Math.max(0, state.capacity - state.othersBytes - tree.usedBytes)

  /** Runs an operation after a delay, and settles after another. One that fails may be half done. */
  function operate<T>(name: string, work: () => T, half: () => void = () => undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const takesMs = timing.random() * state.slowestMs
      const actsMs = timing.random() * takesMs
      const isFailing = timing.random() < state.failing
      halves.add(half)
      timing.after(actsMs, () => {
        halves.delete(half)
        const settle = attempt(isFailing ? fail : work, resolve, reject)
        timing.after(takesMs - actsMs, settle)
      })
      const fail = () => {
        if (timing.random() < 0.5) half()
        throw systemError('EIO', name)
      }
    })
  }

  /** Writes what fits, or less, as a system may. Returns the number of bytes. */
  function write(node: Node, at: number, chunk: Uint8Array): number {
    const freeBytes = bytesLeft()
    if (freeBytes === 0) throw systemError('ENOSPC', 'no space left on device')
    const most = timing.random() < 0.1 ? Math.ceil(chunk.length * timing.random()) : chunk.length
    const taken = chunk.subarray(0, Math.min(freeBytes, most))
    const bytes = Buffer.alloc(Math.max(node.bytes.length, at + taken.length))
    node.bytes.copy(bytes)
    bytes.set(taken, at)
    node.bytes = bytes
    return taken.length
  }

  function handleOf(path: string, node: Node) {
    let at = 0
    let isOpen = true
    open++
    const sync = async () => {
      try {
        await operate(`sync ${path}`, () => syncNode(path, node))
      } catch (error) {
        node.lostFrom = Math.min(node.lostFrom, node.synced.length)
        throw error
      }
    }
    return {
      writev(chunks: Uint8Array[]) {
        const chunk = Buffer.concat(chunks)
        return operate(
          `write ${path}`,
          () => {
            const bytesWritten = write(node, at, chunk)
            at += bytesWritten
            return { bytesWritten }
          },
          () => void write(node, at, chunk.subarray(0, chunk.length >> 1)),
        )
      },
      sync,
      datasync: sync,
      truncate: (length: number) => operate(`truncate ${path}`, () => truncate(node, length)),
      async close() {
        // A failed close releases the file descriptor all the same.
        if (isOpen) open--
        isOpen = false
        await operate(`close ${path}`, () => undefined)
      },
    }
  }

  function syncNode(path: string, node: Node): void {
    tree.syncFolder(path)
    node.synced = Buffer.from(node.bytes)
    if (node.lostFrom < node.synced.length) node.synced.fill(0, node.lostFrom)
  }

  const files = {
    async open(path: string, flags: string) {
      const node = await operate(`open ${path}`, () => {
        if (flags !== 'wx') return tree.find(path)
        if (tree.has(path)) throw systemError('EEXIST', path)
        return tree.add(path)
      })
      return handleOf(path, node)
    },
    mkdir: (path: string) =>
      operate(`mkdir ${path}`, () => {
        const missing: string[] = []
        for (let folder = path; folder !== '/' && !tree.has(folder); folder = dirname(folder)) missing.unshift(folder)
        for (const folder of missing) tree.add(folder)
        return missing[0]
      }),
    readdir: (path: string) =>
      operate(`readdir ${path}`, () => {
        tree.find(path)
        return entriesOf(path).map((each) => basename(each))
      }),
    readFile: (path: string) => operate(`readFile ${path}`, () => tree.find(path).bytes),
    truncate: (path: string, length: number) => operate(`truncate ${path}`, () => truncate(tree.find(path), length)),
    copyFile: (from: string, to: string) => operate(`copyFile ${from}`, () => void tree.add(to, tree.find(from).bytes)),
    rename: (from: string, to: string) => operate(`rename ${from}`, () => tree.rename(from, to)),
    rm: (path: string) => operate(`rm ${path}`, () => tree.remove(path)),
    rmdir: (path: string) =>
      operate(`rmdir ${path}`, () => {
        if (entriesOf(path).length > 0) throw systemError('ENOTEMPTY', path)
        tree.remove(path)
      }),
    statfs: () => operate('statfs', () => ({ bsize: 1, blocks: state.capacity, bavail: bytesLeft() })),
  }

  return {
    wrap: (original) => ({ ...original, ...files }) as unknown as Files,
    begin(options) {
      tree = createDurableTree()
      tree.add(options.folder)
      tree.syncFolder(dirname(options.folder))
      timing = options.timing
      state = { ...options.state }
      open = 0
      halves.clear()
    },
    get state() {
      return state
    },
    end(how) {
      for (const half of halves) if (timing.random() < 0.5) attempt(half, ignore, ignore)
      halves.clear()
      open = 0
      if (how === 'power') tree.cutPower(() => timing.random())
    },
    read: (path) => tree.find(path).bytes,
    get paths() {
      return tree.paths
    },
    get open() {
      return open
    },
  }
}

function truncate(node: Node, length: number): void {
  const bytes = Buffer.alloc(length)
  node.bytes.copy(bytes)
  node.bytes = bytes
  if (node.lostFrom >= length) node.lostFrom = Infinity
}

const ignore = () => undefined

/** Does the work now, and returns a function that reports its outcome later. */
function attempt<T>(work: () => T, resolve: (result: T) => void, reject: (error: unknown) => void): () => void {
  try {
    const result = work()
    return () => resolve(result)
  } catch (error) {
    return () => reject(error)
  }
}
