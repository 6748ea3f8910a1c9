import type { ClusterJob, ClusterJobs } from './cluster-jobs.ts'
import type { EngineLauncher, StartOutcome } from './engine-launcher.ts'

export interface JobLauncherOptions {
  jobs: ClusterJobs
  /** Prefix of the ids of its jobs. */
  name: string
  /** Digest of the settings of the server. A running job with another one is replaced. */
  settings: string
}

/** Runs the training server as a job of a cluster. Jobs are numbered; one with the same settings is adopted, and any other is stopped first. */
export function createJobLauncher({ jobs, name, settings }: JobLauncherOptions): EngineLauncher {
  let current: string | null = null

  async function start(signal: AbortSignal): Promise<StartOutcome> {
    const known = (await jobs.list(signal)).toSorted((left, right) => numberOf(right) - numberOf(left))
    const unfinished = known.filter(({ state }) => state.kind !== 'ended')
    const adopted = unfinished.find((job) => job.settings === settings)
    const others = unfinished.filter((job) => job !== adopted)
    for (const { id } of others) await jobs.stop(id, signal)
    await removeEnded(known, signal)
    if (adopted) {
      current = adopted.id
      return 'adopted'
    }
    // Stopped jobs may still hold the port and the memory that the new one needs; a job that never ran holds nothing.
    if (others.some(({ state }) => state.kind === 'running')) return 'waiting'
    const id = `${name}-${known.length === 0 ? 1 : numberOf(known[0]!) + 1}`
    if ((await jobs.submit({ id, settings }, signal)) === 'exists') return 'waiting'
    current = id
    return 'started'
  }

  /** The newest is kept, so that its output can be read. */
  async function removeEnded(known: readonly ClusterJob[], signal: AbortSignal): Promise<void> {
    const ended = known.filter(({ state }) => state.kind === 'ended')
    for (const { id } of ended.slice(1)) await jobs.remove(id, signal)
  }

  const numberOf = ({ id }: ClusterJob) => Number(id.slice(name.length + 1))

  return {
    place: jobs.place,
    start,
    servers: async (signal) => (await jobs.list(signal)).map(describe),
    async state(signal) {
      const job = current === null ? null : await jobs.read(current, signal)
      return job?.state ?? { kind: 'absent' }
    },
    async shortenOutput() {
      if (current !== null) await jobs.shortenOutput?.(current)
    },
    async stop(signal) {
      for (const { id, state } of await jobs.list(signal)) if (state.kind !== 'ended') await jobs.stop(id, signal)
    },
  }
}

function describe({ id, state }: ClusterJob): string {
  if (state.kind === 'running') return `${id} runs at ${state.address}`
  return state.kind === 'pending' ? `${id} has not started: ${state.detail}` : `${id} has ended: ${state.reason}`
}

/** True for the id of a job of this name. */
export function isJobOf(name: string, id: string): boolean {
  return id.startsWith(`${name}-`) && /^[1-9]\d{0,8}$/.test(id.slice(name.length + 1))
}
