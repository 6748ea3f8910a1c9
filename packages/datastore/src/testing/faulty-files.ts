import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type * as promises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { inject } from 'vitest'

type Files = typeof promises

/** Which file operations fail: the one with this number, counted from 1, or all from it on. */
export interface Fault {
  at: number
  onwards: boolean
  code: 'EIO' | 'ENOSPC' | 'EMFILE'
}

/** The ways in which an operation fails, for tests that try each of them at every operation. */
export const faults: readonly [string, Omit<Fault, 'at'>][] = [
  ['fails once', { onwards: false, code: 'EIO' }],
  ['fails, and all after it', { onwards: true, code: 'EIO' }],
  ['fails on a full disk, and all after it', { onwards: true, code: 'ENOSPC' }],
]

/** Runs with one fault in a new folder. True when the operation to fail was reached. */
export type FaultTrial = (fault: Fault, folder: string) => Promise<boolean>

/** Trials run in memory: a real disk would only be slower. */
const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/**
 * Runs a trial once per operation, or per every third without `npm run test:long`, failing that operation. Returns the number of the first one that was not
 * reached.
 * @throws Error with the fault of the trial that failed
 */
export async function failEach(how: Omit<Fault, 'at'>, trial: FaultTrial): Promise<number> {
  let at = 1
  while (await tryOnce({ ...how, at }, trial)) at += inject('long') ? 1 : 3
  return at
}

async function tryOnce(fault: Fault, trial: FaultTrial): Promise<boolean> {
  const folder = mkdtempSync(join(memoryFolder, 'heddle-faults-'))
  try {
    return await trial(fault, folder)
  } catch (error) {
    throw new Error(`with the fault ${JSON.stringify(fault)}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A file system with injected faults. A failed write has written half of its bytes. */
export interface FaultyFiles {
  /** For `vi.mock('node:fs/promises')`. */
  wrap(original: Files): Files
  /** Resets the count. Without a fault nothing fails. */
  begin(fault?: Fault): void
  /** Whether the fault has happened since. */
  readonly failed: boolean
  /** Files that are open. */
  readonly open: number
  /** Folders and files with changes since then that a power cut may lose. */
  readonly unsynced: string[]
}

export function createFaultyFiles(): FaultyFiles {
  let fault: Fault | undefined
  let count = 0
  let open = 0
  const unsynced = new Set<string>()

  /** Does the operation, or fails in its place. */
  async function attempt<T>(name: string, work: () => Promise<T>): Promise<T> {
    count++
    if (fault && (fault.onwards ? count >= fault.at : count === fault.at))
      throw Object.assign(new Error(`${fault.code}: ${name}`), { code: fault.code })
    return work()
  }

  function wrapHandle(handle: FileHandle, path: string): FileHandle {
    open++
    const changed: Partial<Record<keyof FileHandle, (...args: never[]) => unknown>> = {
      async close() {
        if (handle.fd < 0) return
        // A system that fails to close a file has closed it nevertheless.
        await handle.close()
        open--
        await attempt(`close ${basename(path)}`, async () => {})
      },
      async sync() {
        await attempt(`sync ${basename(path)}`, () => handle.sync())
        unsynced.delete(path)
      },
      async writeFile(data: Uint8Array | string) {
        unsynced.add(path)
        await attempt(`writeFile ${basename(path)}`, () => handle.writeFile(data))
      },
      async appendFile(data: Uint8Array | string) {
        unsynced.add(path)
        await attempt(`appendFile ${basename(path)}`, () => handle.appendFile(data))
      },
      createReadStream: (options: object) => handle.createReadStream(options).once('close', () => open--),
      async datasync() {
        await attempt(`datasync ${basename(path)}`, () => handle.datasync())
        unsynced.delete(path)
      },
      truncate: (length?: number) => attempt(`truncate ${basename(path)}`, () => handle.truncate(length)),
      async writev(buffers: Uint8Array[]) {
        const all = Buffer.concat(buffers)
        unsynced.add(path)
        return attempt(`writev ${basename(path)}`, () => handle.writev(buffers)).catch(async (error: unknown) => {
          await handle.write(all, 0, all.length >> 1)
          throw error
        })
      },
      async write(data: Uint8Array | string, from?: number) {
        const bytes = Buffer.from(data as Uint8Array)
        unsynced.add(path)
        return attempt(`write ${basename(path)}`, () => handle.write(bytes, from)).catch(async (error: unknown) => {
          await handle.write(bytes, 0, bytes.length >> 1)
          throw error
        })
      },
    }
    return new Proxy(handle, {
      get: (target, key: keyof FileHandle) => {
        const own: unknown = changed[key] ?? target[key]
        return typeof own === 'function' ? own.bind(target) : own
      },
    })
  }

  return {
    wrap(original) {
      const named =
        <Args extends [string, ...unknown[]], Result>(name: string, work: (...args: Args) => Promise<Result>) =>
        (...args: Args) =>
          attempt(`${name} ${basename(args[0])}`, () => work(...args))
      const own = {
        async open(path: string, flags = 'r', mode?: number) {
          const handle = await attempt(`open ${basename(path)}`, () => original.open(path, flags, mode))
          if (flags !== 'r') unsynced.add(dirname(path))
          return wrapHandle(handle, path)
        },
        async mkdir(path: string, options: { recursive: true }) {
          const first = await attempt(`mkdir ${basename(path)}`, () => original.mkdir(path, options))
          for (let made = path; first !== undefined && made !== dirname(first); made = dirname(made)) unsynced.add(dirname(made))
          return first
        },
        async rename(from: string, to: string) {
          await attempt(`rename ${basename(to)}`, () => original.rename(from, to))
          unsynced.add(dirname(to))
          if (unsynced.delete(from)) unsynced.add(to)
        },
        readFile: named('readFile', original.readFile as (path: string) => Promise<Buffer>),
        readdir: named('readdir', original.readdir as (path: string) => Promise<string[]>),
        opendir: named('opendir', original.opendir as (path: string) => ReturnType<Files['opendir']>),
        rm: named('rm', original.rm as (path: string) => Promise<void>),
        rmdir: named('rmdir', original.rmdir as (path: string) => Promise<void>),
        stat: named('stat', original.stat as (path: string) => Promise<unknown>),
        statfs: named('statfs', original.statfs as (path: string) => Promise<unknown>),
        truncate: named('truncate', original.truncate as (path: string) => Promise<void>),
        copyFile: named('copyFile', original.copyFile as (path: string, to: string) => Promise<void>),
      }
      return { ...original, ...own } as unknown as Files
    },
    begin(next) {
      fault = next
      count = 0
      unsynced.clear()
    },
    get failed() {
      return fault !== undefined && count >= fault.at
    },
    get open() {
      return open
    },
    get unsynced() {
      return [...unsynced].filter((path) => existsSync(path))
    },
  }
}
