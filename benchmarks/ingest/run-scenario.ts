import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'node:http'
import { exportRequest } from '../data/export-request.ts'
import { createRandom } from '../data/random.ts'
import type { LoadResult, Verification } from '../load/load-plan.ts'
import { post } from '../load/post.ts'
import { runLoad } from '../load/run-load.ts'
import { readCallsOnDisk, type CallsOnDisk } from '../server/engine-state.ts'
import { readUsage } from '../server/process-usage.ts'
import { startServer, type BenchServer, type ServerOptions } from '../server/start-server.ts'
import { peakOf, watchMemory } from '../server/watch-memory.ts'
import type { Scenario } from './scenarios.ts'

export interface ScenarioOptions {
  server: ServerOptions
  corpus: string
  warmUpSeconds: number
  seconds: number
}

export interface ScenarioResult {
  name: string
  load: LoadResult
  verification: Verification
  startUp: { readyMs: number; firstSpanMs: number }
  /** Seconds of processor time per 1 000 calls. */
  cpuPer1000: { service: number; engine: number; load: number }
  memory: { idleService: number; idleEngine: number; peakService: number; peakEngine: number; peakBoth: number }
  disk: CallsOnDisk
}

/** Merges that are under way when the load ends still change what is on disk. */
const settleMs = 2_000

/** Starts a server, loads it, reads everything back, stops it. */
export async function runScenario(scenario: Scenario, options: ScenarioOptions): Promise<ScenarioResult> {
  const startedMs = performance.now()
  const server = await startServer(options.server)
  try {
    await sendFirstSpan(server)
    const firstSpanMs = performance.now() - startedMs
    return { ...(await measure(scenario, options, server)), startUp: { readyMs: server.readyMs, firstSpanMs } }
  } finally {
    await server.stop()
  }
}

async function measure(
  scenario: Scenario,
  { corpus, warmUpSeconds, seconds }: ScenarioOptions,
  server: BenchServer,
): Promise<Omit<ScenarioResult, 'startUp'>> {
  const { name, ...load } = scenario
  const usage = () => ({ service: readUsage(server.pid), engine: readUsage(server.enginePid) })
  const target = { url: server.url, apiKey: server.apiKey, project: 'bench/ingest' }
  let idle = usage()
  let before = idle
  let after = idle
  const memory = watchMemory(server)
  const { result, verification } = await runLoad(
    { ...load, target, corpus, warmUpSeconds, seconds },
    {
      async onPrepared() {
        idle = usage()
      },
      onWarm() {
        before = usage()
      },
      async onDone() {
        after = usage()
        await delay(settleMs)
      },
    },
  ).finally(() => memory.stop())
  const per1000 = (cpuSeconds: number) => (cpuSeconds * 1000) / Math.max(1, result.calls)
  return {
    name,
    load: result,
    verification,
    cpuPer1000: {
      service: per1000(after.service.cpuSeconds - before.service.cpuSeconds),
      engine: per1000(after.engine.cpuSeconds - before.engine.cpuSeconds),
      load: per1000(result.cpuSeconds),
    },
    memory: {
      idleService: idle.service.rssBytes,
      idleEngine: idle.engine.rssBytes,
      peakService: after.service.peakRssBytes,
      peakEngine: after.engine.peakRssBytes,
      peakBoth: peakOf(memory.stop()),
    },
    disk: await readCallsOnDisk(server.dataDir),
  }
}

/** In a project of its own, so that it does not count. */
async function sendFirstSpan(server: BenchServer): Promise<void> {
  const source = { corpus: 'hello '.repeat(100), random: createRandom(1) }
  const { bytes, stamp } = exportRequest({ spans: 1, spansOfTrace: 1, textBytes: 100, source })
  stamp(1, Date.now())
  const agent = new Agent()
  const target = { url: server.url, apiKey: server.apiKey, project: 'bench/first' }
  const { status, text } = await post({ agent, target, path: '/otel/v1/traces', contentType: 'application/x-protobuf', body: bytes })
  if (status !== 200) throw new Error(`the first span was answered with ${status}: ${text}`)
}
