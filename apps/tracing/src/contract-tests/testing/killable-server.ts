import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { copyMigratedStores } from '@heddle/datastore/testing'
import { inject } from 'vitest'
import type { ServerOptions } from './server-options.ts'

/** A server in a process of its own. */
export interface Server {
  url: string
  /** Milliseconds in which its stores were open. */
  openedMs: number
  child: ChildProcess
}

/** Servers over folders that outlive them, for tests that end them by force. */
export interface KillableServers {
  /** A data folder without records, whose stores have all their tables. */
  newFolder(): Promise<string>
  start(dataDir: string, apiKey: string, options?: ServerOptions): Promise<Server>
  /** Starts a server and ends it so many milliseconds later, wherever it is on its way up. */
  startAndKill(dataDir: string, apiKey: string, afterMs: number): Promise<void>
  /** Ends a server at once, whatever it does. */
  kill(server: Server): Promise<void>
  /** Ends the servers that are left and removes the folders. */
  close(): Promise<void>
}

export async function startKillableServers(): Promise<KillableServers> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-crash-'))
  const children = new Set<ChildProcess>()
  function launch(dataDir: string, apiKey: string, options: ServerOptions = {}): ChildProcess {
    const script = fileURLToPath(new URL('server-process.js', inject('builtChildren')))
    const args = [dataDir, apiKey, inject('logFolder'), JSON.stringify(options)]
    const child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    children.add(child)
    return child
  }

  async function end(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL')
    await once(child, 'exit')
    children.delete(child)
  }

  return {
    async newFolder() {
      const dataDir = await mkdtemp(join(folder, 'data-'))
      await copyMigratedStores(dataDir)
      return dataDir
    },

    async start(dataDir, apiKey, options) {
      const child = launch(dataDir, apiKey, options)
      const ended = once(child, 'exit').then(() => {
        throw new Error('the server ended before it was ready')
      })
      const [told] = (await Promise.race([once(child, 'message'), ended])) as [Omit<Server, 'child'>]
      ended.catch(() => undefined)
      return { ...told, child }
    },

    async startAndKill(dataDir, apiKey, afterMs) {
      const child = launch(dataDir, apiKey)
      await delay(afterMs)
      await end(child)
    },

    kill: ({ child }) => end(child),

    async close() {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Where a request goes, and who sends it. */
export interface Access {
  url: string
  apiKey: string
}

export interface SentRequest {
  method?: string
  path: string
  body: string
}

/** The whole answer to a request; undefined where the connection was cut before its end. */
export async function sendTo(url: string, apiKey: string, { method = 'POST', path, body }: SentRequest): Promise<Response | undefined> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  for (;;) {
    try {
      const response = await fetch(url + path, { method, body, headers })
      // The status alone is not an answer yet: it may be cut off behind it.
      const text = await response.text()
      return new Response(text, { status: response.status })
    } catch (error) {
      if (!isLateConnection(error)) return undefined
    }
  }
}

/** Whether a request that must succeed was answered; `check` looks at what the answer says. @throws Error for an answer that is not a success */
export async function isAcknowledged({ url, apiKey }: Access, request: SentRequest, check?: (text: string) => void): Promise<boolean> {
  const response = await sendTo(url, apiKey, request)
  if (response === undefined) return false
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${request.path} answered ${response.status}: ${text}`)
  check?.(text)
  return true
}

/** True where a busy machine made no connection in time: nothing was sent. To a server that is gone it is refused. */
function isLateConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_CONNECT_TIMEOUT'
}
