import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'

export interface ServerCommand {
  /** Of node: the command `heddle serve` with its flags, and before it those of node itself. The server picks its port. */
  args: readonly string[]
  /** All of its environment. */
  env: Readonly<Record<string, string | undefined>>
  /** Default: that of this process. */
  cwd?: string
  /** File that gets all of its standard error. */
  logFile?: string
}

/** A server in a process of its own. */
export interface ServerProcess {
  url: string
  pid: number
  /** Milliseconds from its start to the line that says it is ready. */
  readyMs: number
  /** The last characters of its standard output and error, at most a million. */
  output(): string
  /** Stops it as an operator does, and kills it after 20 seconds. Resolves when it has exited. */
  stop(): Promise<void>
  /** Kills it, in the middle of its work. Resolves when it has exited. */
  kill(): Promise<void>
}

const readyTimeoutMs = 60_000
const stopTimeoutMs = 20_000
const maxOutputCharacters = 1_000_000

/** @throws Error with the output of a server that exits, or is not ready within a minute */
export async function startServerProcess({ args, env, cwd, logFile }: ServerCommand): Promise<ServerProcess> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd !== undefined && { cwd }) })
  const output = keepOutput(child)
  if (logFile !== undefined) child.stderr?.pipe(createWriteStream(logFile))
  try {
    const url = await readUrl(child, output)
    const readyMs = performance.now() - startedMs
    if (child.pid === undefined) throw new Error('the server has no process')
    return { url, pid: child.pid, readyMs, output, stop: () => end(child, 'SIGTERM'), kill: () => end(child, 'SIGKILL') }
  } catch (error) {
    await end(child, 'SIGKILL')
    throw error
  }
}

function keepOutput(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-maxOutputCharacters)))
  }
  return () => output
}

function readUrl(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${reason}; its output:\n${output()}`))
    const timer = setTimeout(() => fail(`the server was not ready within ${readyTimeoutMs} ms`), readyTimeoutMs)
    // After the listener that keeps the output, so the line is in it.
    child.stdout?.on('data', () => {
      const url = /is ready at (http:\S+)\s/.exec(output())?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      fail(`the server exited with ${signal ?? code}`)
    })
  })
}

function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill(signal)
  })
}
