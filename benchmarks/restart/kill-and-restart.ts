import { Agent } from 'node:http'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoadPlan, Target, Verification } from '../load/load-plan.ts'
import { ask } from '../load/post.ts'
import { runLoad } from '../load/run-load.ts'
import { type BenchServer, type ServerOptions, startServer } from '../server/start-server.ts'

export interface KillOptions {
  server: ServerOptions
  load: Pick<LoadPlan, 'kind' | 'connections' | 'callsOfRequest' | 'textBytes'>
  project: string
  corpus: string
  /** Seconds of load before the server is killed. */
  seconds: number
}

export interface Restart {
  /** Milliseconds from the start of the process to the line that says it is ready. */
  readyMs: number
  /** Milliseconds from the start of the process to the first answer that holds what was acknowledged before. */
  firstReadMs: number
  /** Rows that were acknowledged and in no table yet when the server was killed. */
  journalBytes: number
  verification: Verification
}

/** What the load does when its server is gone, before it ends. */
const lastSeconds = 0.3

/** Loads a running server, kills it meanwhile, starts it again over the same data, and has the load count what it finds. */
export async function killAndRestart(running: BenchServer, options: KillOptions): Promise<{ server: BenchServer; restart: Restart }> {
  const { seconds, corpus, project } = options
  const target: Target = { url: running.url, apiKey: running.apiKey, project }
  let killed: Promise<void> | undefined
  let server = running
  let measured: Omit<Restart, 'verification'> | undefined
  const { verification } = await runLoad(
    { ...options.load, target, corpus, warmUpSeconds: 0, seconds: seconds + lastSeconds },
    {
      onPrepared: async () => {},
      onWarm() {
        killed = delay(seconds * 1000).then(() => running.kill())
      },
      async onDone() {
        await killed
        const journalBytes = bytesOfJournals(running.dataDir)
        const startedMs = performance.now()
        // At the address that the load knows.
        server = await startServer({ ...options.server, dataDir: running.dataDir, serverArguments: ['--port', new URL(running.url).port] })
        await countCalls(target)
        measured = { readyMs: server.readyMs, firstReadMs: performance.now() - startedMs, journalBytes }
      },
    },
  ).catch(async (error: unknown) => {
    if (server !== running) await server.stop()
    throw error
  })
  if (measured === undefined) throw new Error('the load ended without a restart of its server')
  return { server, restart: { ...measured, verification } }
}

async function countCalls(target: Target): Promise<void> {
  const agent = new Agent()
  await ask(agent, target, '/calls/query_stats', { project_id: target.project })
  agent.destroy()
}

function bytesOfJournals(dataDir: string): number {
  const folder = join(dataDir, 'engine', 'journal')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rows'))
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
