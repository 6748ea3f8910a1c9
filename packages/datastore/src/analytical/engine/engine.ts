import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { makeFolder } from '../../durable-folders.ts'
import { StoreError } from '../analytical.ts'
import type { EngineConfig, EngineMessage } from './engine-config.ts'

export interface EngineOptions {
  /** The module that a child process runs: `engine-child` of this package, as source or built. */
  entry: URL
  /** Folder for everything of the engine. Created when absent. */
  dataDir: string
  /** Bytes for all queries and merges. Default 40 % of the machine's memory, at most 6 GB. */
  memoryLimitBytes?: number
  /** Queries that run at the same time, beside one insert and one other change. Default 8: more than the permits for tenants, for the server's own. */
  statementSessions?: number
  /** Statements that may wait for their turn. Default 256. */
  maxWaiting?: number
  /** Bytes of one insert whose rows come with it. Default 256 MiB. */
  maxInsertBytes?: number
  /** The folder of backups. Default `backups` in the data folder. */
  backupDir?: string
  /** Milliseconds until a start counts as failed. Default 30 000. */
  readyTimeoutMs?: number
  /** Told when the engine ended by itself and is started again. */
  onRestart?: (event: { reason: string; restarts: number }) => void
}

/** The embedded engine: a child process that is started again whenever it ends by itself. */
export interface Engine {
  /** Where the engine listens; the same after each restart. */
  readonly socketPath: string
  readonly version: string
  /** Folder of the rows that are acknowledged and not yet in their tables. */
  readonly journalDir: string
  /** Bytes that all its queries and merges may hold. */
  readonly memoryLimitBytes: number
  /** Process id of the running engine; undefined while it is being started again. */
  readonly pid: number | undefined
  /** Times it was started again. */
  readonly restarts: number
  /** @throws StoreError `unavailable` while the engine is not up. */
  assertReady(): void
  /** Resolves when the engine is up, or will not be started again. */
  settled(): Promise<void>
  /** Lets statements under way end, for at most `timeoutMs` (default 10 000), then ends the process. */
  stop(timeoutMs?: number): Promise<void>
}

const longestPauseMs = 5_000
/** Inserts, other changes, cancellations, and the files of the child itself. */
const threadsBesideQueries = 8
/** Attempts of the first start: an engine whose server died a moment ago may still be on its way out. */
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
  // Each session that works takes a thread of the pool, which has four by default. The rest is handed on unread.
  // oxlint-disable-next-line no-restricted-properties
  const env = { ...process.env, UV_THREADPOOL_SIZE: String(config.statementSessions + threadsBesideQueries) }
  return fork(entry, [JSON.stringify(config)], { env, execArgv: loader, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
}

interface Running {
  child: ChildProcess
  socketPath: string
  version: string
}

/** A start that failed. `held` says that another process has the folder. */
class StartFailure extends Error {
  readonly type: 'refused' | 'held' | 'failed'
  /** The last that the engine wrote: for the person who starts it, and not for a log, since it may quote a statement. */
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

function told(error: unknown): string {
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
        throw new StoreError('unavailable', `the embedded store did not start: ${told(error)}`, { cause: error })
      }
      await delay(100)
    }
  }
}

/**
 * Starts the embedded engine and waits until it answers.
 * @throws StoreError `unavailable`, with the reason, when it does not start; another server on the same folder is named.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  await makeFolder(options.dataDir)
  let running: Running | undefined = await firstStart(options)
  const { socketPath, version } = running
  let restarts = 0
  let restarting: Promise<void> = Promise.resolve()
  const stopping = new AbortController()

  function watch(current: Running): void {
    current.child.once('exit', (code, signal) => {
      running = undefined
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
    assertReady() {
      if (!running) throw new StoreError('unavailable', 'the embedded store is being started again')
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
