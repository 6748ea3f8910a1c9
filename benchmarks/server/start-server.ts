import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess } from '@heddle/testing'
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
  /** Kills it without a shutdown, and keeps its data. */
  kill(): Promise<void>
}

const apiKey = 'benchmark-key-0123456789'

/** @throws Error with its output when it exits, or is not ready within a minute */
export async function startServer({ command, nodeArguments = [], serverArguments = [], ...options }: ServerOptions): Promise<BenchServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const removeData = () => {
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  const args = [...nodeArguments, command, 'serve', '--port', '0', '--data-dir', dataDir, ...serverArguments]
  const server = await startServerProcess({ args, env: { HEDDLE_API_KEY: apiKey, PATH: process.env.PATH } }).catch((error: unknown) => {
    removeData()
    throw error
  })
  const stop = () => server.stop().finally(removeData)
  const enginePid = childOf(server.pid)
  if (enginePid === undefined) {
    await stop()
    throw new Error('the server runs without its engine')
  }
  const { url, pid, readyMs, kill } = server
  return { url, apiKey, pid, enginePid, dataDir, readyMs, stop, kill }
}
