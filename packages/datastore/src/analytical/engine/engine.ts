import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { makeFolder } from '../../durable-folders.ts'
import { StoreError } from '../analytical.ts'
import type { EngineConfig, EngineMessage } from './engine-config.ts'
import { pingEngine } from './ping-engine.ts'

export interface EngineOptions {
  /** The module that a child process runs: `engine-child` of this package, as source or built. */
  entry: URL
  /** Data folder of the engine. Created if missing. */
  dataDir: string
  /** Memory limit in bytes for all queries and merges. Default 40 % of the machine's memory, at most 6 GB. */
  memoryLimitBytes?: number
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
  /** Called when the engine exited unexpectedly and is being restarted. */
  onRestart?: (event: { reason: string; restarts: number }) => void
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
/** Attempts of the first start: the engine of a server that has just died may still be shutting down. */
const firstStarts = 20

function configOf(options: EngineOptions): EngineConfig {
  return {
    dataDir: options.dataDir,
    serverPid: process.pid,
    memoryLimitBytes: options.memoryLimitBytes ?? Math.min(6e9, Math.floor(totalmem() * 0.4)),
    statementSessions: options.statementSessions ?? 8,
    maxWaiting: options.maxWaiting ?? 256,
    maxInsertBytes: options.maxInsertBytes ?? 256 * 1024 * 1024,
    journalDir: join(options.dataDir, 'journal'),
    backupDir: options.backupDir ?? join(options.dataDir, 'backups'),
  }
}

function forkChild(options: EngineOptions): ChildProcess {
  const entry = fileURLToPath(options.entry)
  const loader = entry.endsWith('.ts') ? ['--import', pathToFileURL(createRequire(options.entry).resolve('tsx')).href] : []
  const config = configOf(options)
  // Each busy session occupies a thread of the libuv pool, which has four by default. The rest of the environment is passed on.
  // oxlint-disable-next-line no-restricted-properties
  const env = { ...process.env, UV_THREADPOOL_SIZE: String(config.statementSessions + threadsBesideQueries) }
  return fork(entry, [JSON.stringify(config)], { env, execArgv: loader, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
}

interface Running {
  child: ChildProcess
  socketPath: string
  version: string
}

/** A failed start. `held`: another process has locked the folder. */
class StartFailure extends Error {
  readonly type: 'refused' | 'held' | 'failed'
  /** Last output of the engine: for the terminal, not for a log, since it may quote a statement. */
  readonly words: string

  constructor(type: 'refused' | 'held' | 'failed', reason: string, words = '') {
    super(reason)
    this.type = type
    this.words = words
  }
}

function startChild(options: EngineOptions): Promise<Running> {
  const child = forkChild(options)
  const limitMs = options.readyTimeoutMs ?? 30_000
  let words = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-2_000)
  })
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(error)
    }
    const timer = setTimeout(() => fail(new StartFailure('failed', `the engine was not ready within ${limitMs} ms`, words)), limitMs)
    child.once('exit', (code, signal) =>
      fail(new StartFailure('failed', `the engine ended while starting (${signal ?? `exit code ${code}`})`, words)),
    )
    child.once('error', fail)
    child.once('message', (message: EngineMessage) => {
      if (message.type !== 'ready') return fail(new StartFailure(message.type, message.reason))
      clearTimeout(timer)
      child.removeAllListeners('exit')
      resolve({ child, socketPath: message.socketPath, version: message.version })
    })
  })
}

function startMessage(error: unknown): string {
  if (error instanceof StartFailure) return `${error.message}. ${error.words}`.replace(/\. $/, '')
  return error instanceof Error ? error.message : String(error)
}

async function firstStart(options: EngineOptions): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startChild(options)
    } catch (error) {
      const isHeld = error instanceof StartFailure && error.type === 'held'
      if (!isHeld || attempt === firstStarts) {
        throw new StoreError('unavailable', `the embedded store failed to start: ${startMessage(error)}`, { cause: error })
      }
      await delay(100)
    }
  }
}

/**
 * Starts the embedded engine and waits until it responds.
 * @throws StoreError `unavailable`, with the reason, when it fails to start. Names another server that uses the folder.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  await makeFolder(options.dataDir)
  let running: Running | undefined = await firstStart(options)
  const { socketPath, version } = running
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
      try {
        const started = await startChild(options)
        if (stopping.signal.aborted) started.child.kill('SIGKILL')
        running = started
        return watch(started)
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
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
    journalDir: configOf(options).journalDir,
    memoryLimitBytes: configOf(options).memoryLimitBytes,
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
