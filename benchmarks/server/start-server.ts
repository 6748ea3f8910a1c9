import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childOf } from './process-usage.ts'

export interface ServerOptions {
  /** The built command. */
  command: string
  /** Arguments for Node itself, such as a profiler's. */
  nodeArguments?: readonly string[]
  /** Further settings of the server, as flags. */
  serverArguments?: readonly string[]
  /** Folder that another server used before, and that stays when this one ends. Default: one of its own. */
  dataDir?: string
}

/** The real server, in a process and a data folder of its own. */
export interface BenchServer {
  url: string
  apiKey: string
  /** Process of the service. */
  pid: number
  /** Process of the engine. */
  enginePid: number
  dataDir: string
  /** Milliseconds from its start to the line that says it is ready. */
  readyMs: number
  /** Ends it and removes the data folder that is its own. */
  stop(): Promise<void>
  /** Ends it by force, in the middle of what it does, and leaves its data. */
  kill(): Promise<void>
}

const apiKey = 'benchmark-key-0123456789'
const startLimitMs = 60_000
const stopLimitMs = 20_000

/** @throws Error with its words when it does not come up. */
export async function startServer({ command, nodeArguments = [], serverArguments = [], ...options }: ServerOptions): Promise<BenchServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const startedMs = performance.now()
  const child = spawn(process.execPath, [...nodeArguments, command, 'serve', '--port', '0', '--data-dir', dataDir, ...serverArguments], {
    env: { HEDDLE_API_KEY: apiKey, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async () => {
    await stopChild(child, 'SIGTERM')
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await readUrl(child)
    const readyMs = performance.now() - startedMs
    const enginePid = childOf(child.pid ?? 0)
    if (child.pid === undefined || enginePid === undefined) throw new Error('the server runs without its engine')
    return { url, apiKey, pid: child.pid, enginePid, dataDir, readyMs, stop, kill: () => stopChild(child, 'SIGKILL') }
  } catch (error) {
    await stop()
    throw error
  }
}

function readUrl(child: ChildProcess): Promise<string> {
  let words = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server was not ready within ${startLimitMs} ms: ${words}`)), startLimitMs)
    const hear = (chunk: Buffer) => {
      words = (words + chunk.toString('utf8')).slice(-4_000)
      const url = /is ready at (http:\S+)/.exec(words)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', (code) => reject(new Error(`the server ended with exit code ${code}: ${words}`)))
    child.once('error', reject)
  })
}

function stopChild(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill(signal)
  })
}
