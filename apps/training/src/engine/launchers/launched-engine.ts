import type { Outgoing } from '@heddle/outgoing'
import type { BaseModel, Engine } from '../engine.ts'
import { createTinkerEngine } from '../tinker/tinker-engine.ts'
import type { TinkerApiOptions } from '../tinker/tinker-api.ts'
import { createLaunchedServer, type LaunchedServerOptions } from './launched-server.ts'

export interface LaunchedEngineOptions extends Omit<LaunchedServerOptions, 'probe'> {
  /** A client that may send requests to this address, which the cluster chose. */
  outgoingTo(url: string): Outgoing
  /** Secret of the server; null sends none. */
  apiKey: string | null
  baseModels: readonly BaseModel[]
  /** Waits between attempts of a request to the server. Default: timers. */
  sleepBetweenAttempts?: TinkerApiOptions['sleep']
}

/** Requests wait so long for a server that starts; jobs as long as a start may take. */
const requestWaitMs = 20_000
const probeMs = 5_000

/** Runs and trains models on a server with the Tinker training API that is started on a cluster, beginning with this call. */
export function createLaunchedEngine({ outgoingTo, apiKey, baseModels, sleepBetweenAttempts, ...options }: LaunchedEngineOptions): Engine {
  const server = createLaunchedServer({ ...options, probe })
  const engineOptions = { apiKey, baseModels, ...(sleepBetweenAttempts && { sleep: sleepBetweenAttempts }) }
  let current: { generation: number; engine: Engine } | null = null

  async function probe(url: string, signal: AbortSignal): Promise<boolean> {
    const request = { url: `${url}/api/v1/healthz`, maxResponseBytes: 65_536, timeoutMs: probeMs, signal }
    const response = await outgoingTo(url)
      .send(request)
      .catch(() => null)
    return response?.status === 200
  }

  /** A new generation of the server has none of the sessions and models of the previous one. */
  async function open(signal: AbortSignal, waitMs = requestWaitMs): Promise<Engine> {
    const { address: url, generation } = await server.ready({ waitMs, signal })
    if (current?.generation === generation) return current.engine
    const before = current
    current = { generation, engine: createTinkerEngine({ ...engineOptions, outgoing: outgoingTo(url), url }) }
    await before?.engine.close()
    return current.engine
  }

  return {
    baseModels: async () => baseModels,
    openTraining: async (training, signal) => (await open(signal, options.limits.startMs)).openTraining(training, signal),
    async *generate(request, signal, onProgress) {
      yield* (await open(signal)).generate(request, signal, onProgress)
    },
    score: async (version, batch, signal) => (await open(signal)).score(version, batch, signal),
    choosesModules: false,
    library: null,
    estimateTraining: async () => null,
    unload: async (keyPrefix) => current?.engine.unload(keyPrefix),
    async health() {
      const status = server.status()
      const { place } = options.launcher
      if (status.state !== 'ready') return { ok: false, detail: { place, ...status } }
      return { ok: true, detail: { place, state: status.state, url: status.server.address } }
    },
    async close() {
      await current?.engine.close()
      await server.close()
    },
  }
}
