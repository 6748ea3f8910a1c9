import type { Agent } from 'node:http'
import type { Content } from '../data/nested-text.ts'
import type { Target } from '../load/load-plan.ts'
import { ask } from '../load/post.ts'
import { round } from '../report/percentiles.ts'
import { readCallsOnDisk, waitForMerges } from '../server/engine-state.ts'
import { startServer, type BenchServer } from '../server/start-server.ts'
import { fillStore, type Sample } from './fill-store.ts'
import type { Known } from './questions.ts'

export interface StoreOptions {
  agent: Agent
  /** The built command. */
  command: string
  textIndex: string
  content: Content
  corpus: string
  spans: number
  textBytes: number
  /** Time to wait until merges of the load are done; 0 asks while they run. */
  settleMs: number
}

/** A server over a store of its own, filled with one kind of data. */
export interface FilledStore {
  command: string
  content: Content
  server: BenchServer
  target: Target
  known: Known
  fillSeconds: number
  partsAsked: number
  isSettled: boolean
}

/** A server that was filled, where it serves. */
export type AskedStore = Pick<FilledStore, 'command' | 'content' | 'server' | 'target' | 'known'>

/** Long traces that queries may ask for, one after the other. */
const maxLongTraces = 80
const overMs = 7 * 86_400_000

/** @throws Error when the server does not start or refuses the data. */
export async function openStore(options: StoreOptions): Promise<FilledStore> {
  const { agent, command, content, textIndex } = options
  const server = await startServer({ command, serverArguments: ['--text-index', textIndex] })
  try {
    const target = { url: server.url, apiKey: server.apiKey, project: 'bench/query' }
    const untilMs = Date.now()
    const sample = await fillStore({ ...options, target, untilMs, overMs })
    const fillSeconds = round((Date.now() - untilMs) / 1000)
    const times = { start: new Date(untilMs - overMs).toISOString(), end: new Date(untilMs).toISOString() }
    const known = { ids: sample.ids, longTraces: await longTracesOf(agent, target, sample), ...times }
    const isSettled = await waitForMerges(server.dataDir, options.settleMs)
    const { parts: partsAsked } = await readCallsOnDisk(server.dataDir)
    return { command, content, server, target, known, fillSeconds, partsAsked, isSettled }
  } catch (error) {
    await server.stop()
    throw error
  }
}

export async function longTracesOf(agent: Agent, target: Target, { idsOfLongTraces }: Sample): Promise<string[]> {
  const longTraces: string[] = []
  for (const id of idsOfLongTraces.slice(-maxLongTraces)) {
    const { call } = await ask<{ call: { trace_id: string } }>(agent, target, '/call/read', { project_id: target.project, id })
    longTraces.push(call.trace_id)
  }
  return longTraces
}
