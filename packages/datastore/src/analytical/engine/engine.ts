import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { StoreError } from '../../work/store-error.ts'
import { type FolderLock, lockFolder } from '../../folder-lock/folder-lock.ts'
import type { EngineConfig, EngineMessage, KnownColumn } from './engine-config.ts'
import { chooseSocketPath } from './engine-folders.ts'
import { defaultEngineMemory } from './engine-memory.ts'
import { readMemoryLimit } from '../../memory-limit.ts'
import { pingEngine } from './ping-engine.ts'
import type { Table } from '../table.ts'
import { allTables } from '../tables/all-tables.ts'
import { messageOf } from '../../message-of.ts'

export interface EngineOptions {
  /** The module that a child process runs: `engine-child` of this package, as source or built. */
  entry: URL
  /** Data folder of the engine. Created if missing. */
  dataDir: string
  /** Memory limit in bytes for all queries and merges. Default 40 % of the memory granted to this process, at most 6 GB. */
  memoryLimitBytes?: number
  /** Most bytes of JavaScript objects in the engine's process. Default: that of Node. */
  heapBytes?: number
  /** Concurrent queries, besides one insert and one other change. Default 8: the permits of tenants, and some for the server itself. */
  statementSessions?: number
  /** Maximum number of queued statements. Default 256. */
  maxWaiting?: number
  /** Maximum bytes of one insert with rows in its body. Default 256 MiB. */
  maxInsertBytes?: number
  /** The folder of backups. Default `backups` in the data folder. */
  backupDir?: string
  /** Start timeout in milliseconds. Default 30 000. */
  readyTimeoutMs?: number
  /** Called when a process of the engine was started; it takes a while to be ready. */
  onForked?: () => void
  /** Called when the engine exited unexpectedly and is being restarted. */
  onRestart?: (event: { reason: string; restarts: number }) => void
  /** Called when another program removed the engine's socket, after it was opened again. */
  onSocketReopened?: () => void
}

/** The embedded engine: a supervised child process that is restarted after an unexpected exit. */
export interface Engine {
  /** Socket of the engine; the same after each restart. */
  readonly socketPath: string
  readonly version: string
  /** Folder of the journals: acknowledged rows that are not in their tables yet. */
  readonly journalDir: string
  /** Memory limit of all queries and merges, in bytes. */
  readonly memoryLimitBytes: number
  /** Process id of the running engine; undefined while it is being restarted. */
  readonly pid: number | undefined
  /** Number of restarts. */
  readonly restarts: number
  /** @throws StoreError `unavailable` while the engine is not up. */
  assertReady(): void
  /** Milliseconds since the engine exited; 0 while it is up. */
  readonly downMs: number
  /**
   * Resolves once the engine has answered over a new connection.
   * @throws StoreError `unavailable` when it is not up, its socket cannot be opened, or the signal aborts first
   */
  ping(signal: AbortSignal): Promise<void>
  /** Resolves once the engine is up, or will not be restarted. */
  settled(): Promise<void>
  /** Waits at most `timeoutMs` (default 10 000) for running statements, then ends the process. */
  stop(timeoutMs?: number): Promise<void>
}

const longestPauseMs = 5_000
/** Threads for inserts, other changes, cancellations, and the file operations of the child. */
const threadsBesideQueries = 8
/** How long the first start waits for the engine of a server that has just died; it exits on its own. */
const orphanMs = 20_000

function configOf(options: EngineOptions, socketPath: string): EngineConfig {
  return {
    dataDir: options.dataDir,
    socketPath,
    memoryLimitBytes: options.memoryLimitBytes ?? defaultEngineMemory(readMemoryLimit().bytes),
    statementSessions: options.statementSessions ?? 8,
    maxWaiting: options.maxWaiting ?? 256,
    maxInsertBytes: options.maxInsertBytes ?? 256 * 1024 * 1024,
    journalDir: join(options.dataDir, 'journal'),
    backupDir: options.backupDir ?? join(options.dataDir, 'backups'),
    knownColumns: Object.fromEntries(allTables.map((table) => [table.name, knownColumnsOf(table)])),
  }
}

function knownColumnsOf({ derived = {} }: Table): KnownColumn[] {
  return Object.entries(derived).flatMap(([name, { ifNoneOf }]) => (ifNoneOf ? [{ name, ...ifNoneOf }] : []))
}

function forkChild(options: EngineOptions, socketPath: string): ChildProcess {
  const entry = fileURLToPath(options.entry)
  const loader = entry.endsWith('.ts') ? ['--import', pathToFileURL(createRequire(options.entry).resolve('tsx')).href] : []
  const heap = options.heapBytes === undefined ? [] : [`--max-old-space-size=${Math.floor(options.heapBytes / 2 ** 20)}`]
  const config = configOf(options, socketPath)
  // Each busy session occupies a thread of the libuv pool, which has four by default. The rest of the environment is passed on.
  // oxlint-disable-next-line no-restricted-properties
  const env = { ...process.env, UV_THREADPOOL_SIZE: String(config.statementSessions + threadsBesideQueries) }
  return fork(entry, [JSON.stringify(config)], { env, execArgv: [...loader, ...heap], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
}

interface Running {
  child: ChildProcess
  version: string
}

/** A failed start. */
class StartFailure extends Error {
  /** Last output of the engine: for the terminal, not for a log, since it may quote a statement. */
  readonly words: string
  /** True when another process has the tables open. */
  readonly isHeld: boolean

  constructor(reason: string, words: string) {
    super(reason)
    this.words = words
    this.isHeld = /Cannot lock file/.test(words)
  }
}

function startChild(options: EngineOptions, socketPath: string): Promise<Running> {
  const child = forkChild(options, socketPath)
  options.onForked?.()
  const limitMs = options.readyTimeoutMs ?? 30_000
  let words = ''
  let reason: string | undefined
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-2_000)
  })
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(error)
    }
    const timer = setTimeout(() => fail(new StartFailure(`the engine was not ready within ${limitMs} ms`, words)), limitMs)
    // Its output is complete by then.
    const onClose = (code: number | null, signal: NodeJS.Signals | null) =>
      fail(new StartFailure(reason ?? `the engine ended while starting (${signal ?? `exit code ${code}`})`, words))
    child.once('close', onClose)
    child.once('error', fail)
    child.on('message', (message: EngineMessage) => {
      if (message.type === 'reopened') return options.onSocketReopened?.()
      if (message.type === 'failed') return (reason = message.reason)
      clearTimeout(timer)
      child.off('close', onClose)
      return resolve({ child, version: message.version })
    })
  })
}

function startMessage(error: unknown): string {
  if (error instanceof StartFailure) return `${error.message}. ${error.words}`.replace(/\. $/, '')
  return messageOf(error)
}

async function firstStart(options: EngineOptions, socketPath: string): Promise<Running> {
  const endMs = performance.now() + orphanMs
  for (;;) {
    try {
      return await startChild(options, socketPath)
    } catch (error) {
      const isHeld = error instanceof StartFailure && error.isHeld
      if (!isHeld) throw new StoreError('unavailable', `the embedded store failed to start: ${startMessage(error)}`, { cause: error })
      if (performance.now() > endMs) throw heldTables(options.dataDir, error)
      await delay(100)
    }
  }
}

/** The folder is locked by this process, so no other server of this version has its tables open. */
function heldTables(dataDir: string, cause: unknown): StoreError {
  const text =
    `another process has the tables in ${dataDir} open: the engine of a server that has ended, or a server of an earlier version; ` +
    `end that process (its id, in its own container, is in ${join(dataDir, 'store', 'status')}), or choose another folder with --data-dir`
  return new StoreError('unavailable', text, { cause })
}

/**
 * Starts the embedded engine and waits until it responds. The folder is locked for this process until `stop`.
 * @throws StoreError `unavailable`, with the reason, when it fails to start, or names another process that uses the folder; nothing in the
 * folder has been touched then.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const lock = await lockFolder({ folder: options.dataDir, mode: 'exclusive', purpose: 'embedded engine' })
  try {
    return await superviseEngine(options, lock)
  } catch (error) {
    lock.release()
    throw error
  }
}

async function superviseEngine(options: EngineOptions, lock: FolderLock): Promise<Engine> {
  const socketPath = chooseSocketPath(options.dataDir, tmpdir())
  let running: Running | undefined = await firstStart(options, socketPath)
  const { version } = running
  let restarts = 0
  let downSince = 0
  let restarting: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  function watch(current: Running): void {
    current.child.once('exit', (code, signal) => {
      running = undefined
      downSince = performance.now()
      if (!stopping.signal.aborted) restarting = restart(signal ?? `exit code ${code}`)
    })
  }

  async function restart(reason: string): Promise<void> {
    for (let pauseMs = 50; !stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      restarts++
      options.onRestart?.({ reason, restarts })
      // A new engine would fill the folder with empty tables.
      if (!(await lock.isHeld())) return
      try {
        const started = await startChild(options, socketPath)
        if (stopping.signal.aborted) started.child.kill('SIGKILL')
        running = started
        return watch(started)
      } catch (error) {
        reason = messageOf(error)
        await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
    }
  }

  function assertReady(): void {
    if (!running) throw new StoreError('unavailable', 'the embedded store is restarting')
  }

  watch(running)
  return {
    socketPath,
    version,
    journalDir: configOf(options, socketPath).journalDir,
    memoryLimitBytes: configOf(options, socketPath).memoryLimitBytes,
    get pid() {
      return running?.child.pid
    },
    get restarts() {
      return restarts
    },
    assertReady,
    get downMs() {
      return running ? 0 : performance.now() - downSince
    },
    async ping(signal) {
      assertReady()
      await pingEngine(socketPath, signal)
    },
    settled: () => restarting,
    async stop(timeoutMs = 10_000) {
      stopping.abort()
      if (running) await stopChild(running.child, timeoutMs)
      lock.release()
    },
  }
}

function stopChild(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    if (child.connected) child.send('stop')
    else child.kill('SIGKILL')
  })
}
