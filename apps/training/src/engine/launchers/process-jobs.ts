import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import type { ClusterJob, ClusterJobs } from './cluster-jobs.ts'
import { LauncherError } from './engine-launcher.ts'
import { isJobOf } from './job-launcher.ts'
import { lastWords } from './last-words.ts'
import { ifCode, readOptionalFile } from './optional-file.ts'
import { endMarked, findMarked, markVariable } from './marked-processes.ts'
import { readEnd, shortenFile } from './output-file.ts'
import type { ServerSettings } from './server-settings.ts'

/** Where servers of this machine run. */
export interface Machine {
  /** Remembers the servers, so that the next process finds those that this one left. It is made when it is needed. */
  folder: string
  /** Variables that each server gets, before its own. */
  environment: Readonly<Record<string, string>>
}

export interface ProcessJobsOptions {
  machine: Machine
  /** Prefix of the ids. */
  name: string
  server: ServerSettings
}

/** Record of a server in `<id>.json`. Its output is in `<id>.log`, and its exit code in `<id>.exit` once it has ended by itself. */
const ServerRecord = z.strictObject({ settings: z.string(), mark: z.string() })
type ServerRecord = z.output<typeof ServerRecord>

/** The command, then the file of its exit code. A command that begins with `exec` replaces the inner shell alone. */
const script = '(eval "$1"); echo $? > "$2"'
const connectMs = 2_000

/** Training servers as processes of this machine, which outlive the process that started them. */
export function createProcessJobs({ machine, name, server }: ProcessJobsOptions): ClusterJobs {
  const { folder } = machine
  const place = 'this machine'
  const fileOf = (id: string, kind: 'json' | 'log' | 'exit') => join(folder, `${id}.${kind}`)

  async function readRecord(id: string): Promise<ServerRecord | null> {
    const text = await readOptionalFile(fileOf(id, 'json'))
    if (text === null) return null
    try {
      return ServerRecord.parse(JSON.parse(text))
    } catch (error) {
      throw new LauncherError(`${fileOf(id, 'json')} is damaged: remove it, and end the server that it named if it still runs`, {
        cause: error,
      })
    }
  }

  async function read(id: string, signal: AbortSignal): Promise<ClusterJob | null> {
    const record = await readRecord(id)
    return record === null ? null : { id, settings: record.settings, state: await stateOf(id, record, signal) }
  }

  async function stateOf(id: string, { mark }: ServerRecord, signal: AbortSignal): Promise<ClusterJob['state']> {
    const runs = (await findMarked(mark)).length > 0
    const exit = (await readOptionalFile(fileOf(id, 'exit')))?.trim() || null
    if (runs && exit === null) return { kind: 'running', address: server.address ?? `http://127.0.0.1:${server.port}` }
    // What it started would hold the memory that the next one needs.
    if (runs) await endMarked(mark, signal)
    const ending = exit === null ? 'was killed' : `ended with exit code ${exit}`
    return { kind: 'ended', reason: `the process ${ending}: ${lastWords(await readEnd(fileOf(id, 'log'))) || 'it wrote nothing'}` }
  }

  /** @throws LauncherError if a program listens at the port, which would be treated as the server */
  async function assertPortIsFree(): Promise<void> {
    const { port } = server
    if (await isListening(port))
      throw new LauncherError(
        `port ${port} of this machine is in use: end what listens there, or choose another "port" in the launcher file and in its command`,
      )
  }

  async function run(id: string, mark: string): Promise<void> {
    const output = await open(fileOf(id, 'log'), 'a', 0o600)
    try {
      const child = spawn('/bin/sh', ['-c', script, 'sh', server.command, fileOf(id, 'exit')], {
        detached: true,
        stdio: ['ignore', output.fd, output.fd],
        env: { ...machine.environment, ...server.environment, [markVariable]: mark },
      })
      await once(child, 'spawn')
      child.unref()
    } catch (error) {
      throw new LauncherError(`cannot start /bin/sh: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    } finally {
      await output.close()
    }
  }

  return {
    place,
    async list(signal) {
      const files = await readdir(folder).catch(ifCode('ENOENT', []))
      const ids = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length))
      const jobs = await Promise.all(ids.filter((id) => isJobOf(name, id)).map((id) => read(id, signal)))
      return jobs.filter((job) => job !== null)
    },
    read,
    async submit({ id, settings }) {
      await assertPortIsFree()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const mark = `${id}.${randomUUID()}`
      const isNew = await writeFile(fileOf(id, 'json'), JSON.stringify({ settings, mark } satisfies ServerRecord), {
        flag: 'wx',
        mode: 0o600,
      }).then(() => true, ifCode('EEXIST', false))
      if (!isNew) return 'exists'
      await run(id, mark)
      return 'submitted'
    },
    async stop(id, signal) {
      const record = await readRecord(id)
      if (record !== null) await endMarked(record.mark, signal)
    },
    async remove(id) {
      for (const kind of ['log', 'exit', 'json'] as const) await rm(fileOf(id, kind), { force: true })
    },
    shortenOutput: (id) => shortenFile(fileOf(id, 'log')),
  }
}

function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, timeout: connectMs })
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('timeout', () => resolve(true))
    socket.once('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
