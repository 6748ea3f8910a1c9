import type { RelationalStore } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { createVirtualClock, seededRandom } from '@heddle/testing'
import { sqlJobsStore } from '../../store/jobs-store.sql.ts'
import { projectsOf } from '../test-database.ts'
import { checkRows, finalRows } from './check-rows.ts'
import { createLeaseOracle } from './lease-oracle.ts'
import type { JobEnd } from './simulated-handler.ts'
import { type SimulatedServer, simulatedServer } from './simulated-server.ts'

/** What users do, and what happens to servers. */
export type Step =
  | { do: 'enqueue'; project: number; serialKey: number; runsMs: number; ends: JobEnd; maxAttempts: number; delayMs: number }
  | { do: 'cancel'; job: number }
  | { do: 'wait'; ms: number }
  | { do: 'fail'; server: number; failing: number; slowestMs: number }
  | { do: 'kill'; server: number }
  | { do: 'stop'; server: number }
  | { do: 'set clock'; server: number; hours: number }

/** Servers with workers over one database, in virtual time. Whatever they do follows from the seed and the steps. */
export interface SimulatedQueue {
  /** @throws Error that says which promise was broken */
  take(step: Step): Promise<void>
  /** Makes everything well, and checks whether every job comes to its one end. @throws Error that says which did not */
  recover(): Promise<void>
}

const servers = 3
const longestRecoveryMs = 2 * 3_600_000

export async function createSimulatedQueue(seed: number, database: RelationalStore, queue: string): Promise<SimulatedQueue> {
  const random = seededRandom(seed)
  const clock = createVirtualClock({ random, ticks: 6 })
  const broken: string[] = []
  const oracle = createLeaseOracle((what) => void broken.push(what))
  const sql = sqlJobsStore({ database, queue })
  const scopeOf = projectsOf(database)
  const projects = await Promise.all([0, 1, 2].map((at) => scopeOf(`simulated/${at}`)))
  const running: SimulatedServer[] = []
  for (let at = 0; at < servers; at++) running.push(start(at))
  /** Keys of the jobs that were sent, in the order of the attempts. */
  const sent: string[] = []
  const acknowledged = new Map<string, string>()
  const ends = new Map<string, string>()
  const sending = new Set<Promise<void>>()

  function start(at: number): SimulatedServer {
    return simulatedServer({ at, clock, random, store: oracle.watch(sql), openProject: scopeOf })
  }

  const serverAt = (at: number): SimulatedServer => {
    const server = running[at % servers]
    if (!server) throw new Error(`there is no server ${at}`)
    return server
  }
  const projectAt = (at: number): ProjectScope => {
    const project = projects[at % projects.length]
    if (!project) throw new Error(`there is no project ${at}`)
    return project
  }

  /** Sends a job until it is acknowledged, as clients with an idempotency key do. */
  async function send(
    key: string,
    { project, serialKey, runsMs, ends, maxAttempts, delayMs }: Extract<Step, { do: 'enqueue' }>,
  ): Promise<void> {
    const job = { kind: 'a', payload: { runsMs, ends }, maxAttempts, idempotency: { key } }
    const at = {
      ...(serialKey > 0 && { serialKey: `s${serialKey}` }),
      ...(delayMs > 0 && { runAfter: Math.round(clock.wallClock() + delayMs) * 1000 }),
    }
    const pause = (ms: number) => new Promise<undefined>((resolve) => void clock.after(ms, () => resolve(undefined)))
    for (let tries = 0; !acknowledged.has(key); tries++) {
      const enqueued = serverAt(tries)
        .jobs.enqueue(projectAt(project), { ...job, ...at })
        .catch(() => pause(1_000))
      // A server that was killed does not answer.
      const answer = await Promise.race([enqueued, pause(20_000)])
      if (answer) acknowledged.set(key, answer.job.id)
    }
  }

  async function check(): Promise<void> {
    broken.push(...(await checkRows(database, queue, ends)))
    if (broken.length > 0) throw new Error(broken.join('\n'))
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'enqueue': {
        const key = `k${sent.length}`
        sent.push(key)
        const work = send(key, step).finally(() => sending.delete(work))
        sending.add(work)
        return clock.advance(1)
      }
      case 'cancel': {
        const id = acknowledged.get(`k${step.job % Math.max(sent.length, 1)}`) ?? ''
        for (const project of projects)
          void serverAt(step.job)
            .jobs.cancel(project, id)
            .catch(() => undefined)
        return clock.advance(1)
      }
      case 'wait':
        return clock.advance(step.ms)
      case 'fail':
        return serverAt(step.server).fail(step)
      case 'kill':
        serverAt(step.server).kill()
        running[step.server % servers] = start(step.server)
        return
      case 'stop':
        await clock.advanceUntil(serverAt(step.server).stop(), 600_000)
        serverAt(step.server).kill()
        running[step.server % servers] = start(step.server)
        return
      case 'set clock':
        return serverAt(step.server).setClock(step.hours)
    }
  }

  return {
    async take(step) {
      await take(step)
      await check()
    },
    async recover() {
      for (const server of running) {
        server.fail({ failing: 0, slowestMs: 1 })
        server.setClock(0)
      }
      await clock.advanceUntil(Promise.all(sending), 600_000)
      for (let ms = 0; ms < longestRecoveryMs && ends.size < sent.length; ms += 10_000) {
        await clock.advance(10_000)
        await check()
      }
      broken.push(...(await finalRows(database, queue, { sent, acknowledged, starts: oracle.starts })))
      await clock.advanceUntil(Promise.all(running.map((server) => server.stop())), 600_000)
      await clock.advance(3_600_000)
      if (clock.pending > 0) broken.push(`${clock.pending} timers are left`)
      await check()
    },
  }
}
