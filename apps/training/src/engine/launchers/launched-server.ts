import { setTimeout as pause } from 'node:timers/promises'
import { EngineError } from '../engine.ts'
import { type EngineLauncher, LauncherError } from './engine-launcher.ts'

/** A server that responded. A restart begins a new generation: sessions of the previous one are lost. */
export interface ReadyServer {
  address: string
  generation: number
}

export interface LaunchLimits {
  /** From the request to the cluster to the first response of the server. */
  startMs: number
  /** Most starts within any hour. */
  startsPerHour: number
}

export type LaunchEvent =
  | { kind: 'launched' | 'adopted' | 'ready'; place: string; address?: string }
  | { kind: 'failed'; place: string; reason: string; retryMs: number }

export interface LaunchedServerOptions {
  launcher: EngineLauncher
  limits: LaunchLimits
  /** Whether a server at this address answers. */
  probe(address: string, signal: AbortSignal): Promise<boolean>
  onEvent(event: LaunchEvent): void
  /** False leaves the server running for the next process when this one ends. */
  stopsAtEnd: boolean
  /** Monotonic. Default: that of the process. */
  nowMs?: () => number
  /** Ends early, without an error, when the signal aborts. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

export type LaunchStatus = { state: 'starting' | 'stopped' | 'failed'; detail: string } | { state: 'ready'; server: ReadyServer }

/** A training server that is started on a cluster, watched, and restarted when it ends. */
export interface LaunchedServer {
  status(): LaunchStatus
  /** Waits for a server that responds. @throws EngineError `unavailable` after `waitMs` */
  ready(options: { waitMs: number; signal: AbortSignal }): Promise<ReadyServer>
  /** Stops the server if `stopsAtEnd`. */
  close(): Promise<void>
}

const pollMs = 1_000
const checkMs = 10_000
/** Checks in a row without a response after which a server counts as lost. */
const maxMissedChecks = 6
const hourMs = 3_600_000
const longestPauseMs = 60_000
/** Timeout of the request to stop the server while this process closes. */
const stopMs = 10_000

export function createLaunchedServer(options: LaunchedServerOptions): LaunchedServer {
  const { launcher, limits, probe, onEvent, stopsAtEnd, nowMs = () => performance.now(), sleep = sleepQuietly } = options
  const { place } = launcher
  const closing = new AbortController()
  const { signal } = closing
  let status: LaunchStatus = { state: 'starting', detail: `has not asked ${place} yet` }
  let generation = 0
  let starts: number[] = []
  const waiting = new Set<() => void>()

  function change(next: LaunchStatus): void {
    status = next
    for (const wake of waiting) wake()
  }

  /** Resolves to the reason once the server has ended. */
  async function serveOnce(onReady: () => void): Promise<string> {
    const address = await start()
    if (typeof address !== 'string') return address.failure
    change({ state: 'ready', server: { address, generation: ++generation } })
    onEvent({ kind: 'ready', place, address })
    onReady()
    return watch(address)
  }

  async function start(): Promise<string | { failure: string }> {
    const deadline = nowMs() + limits.startMs
    let detail = `asks ${place} to start the server`
    let isAsked = false
    while (nowMs() < deadline) {
      change({ state: 'starting', detail })
      if (!isAsked) {
        const outcome = await launcher.start(signal)
        isAsked = outcome !== 'waiting'
        if (outcome === 'started') starts.push(nowMs())
        if (outcome === 'waiting') detail = `waits for another server of this name on ${place} to stop or to show itself`
        else onEvent({ kind: outcome === 'started' ? 'launched' : 'adopted', place })
      }
      if (isAsked) {
        const state = await launcher.state(signal)
        if (state.kind === 'absent') return { failure: `${place} has no such job any more` }
        if (state.kind === 'ended') return { failure: state.reason }
        if (state.kind === 'running' && (await probe(state.address, signal))) return state.address
        detail = state.kind === 'running' ? `runs at ${state.address} and does not answer yet` : state.detail
      }
      await sleep(pollMs, signal)
      signal.throwIfAborted()
    }
    if (isAsked) await launcher.stop(signal)
    return { failure: `no answer within ${Math.round(limits.startMs / 1_000)} s of the start: ${detail}` }
  }

  async function watch(address: string): Promise<string> {
    let missed = 0
    for (;;) {
      await sleep(checkMs, signal)
      signal.throwIfAborted()
      if (await probe(address, signal)) {
        missed = 0
        // A full disk must not stop a healthy server.
        await launcher.shortenOutput().catch(() => undefined)
        continue
      }
      const state = await launcher.state(signal).catch(unlessAborted)
      if (state?.kind === 'absent') return `${place} has no such job any more`
      if (state?.kind === 'ended') return state.reason
      if (state?.kind === 'running' && state.address !== address) return `it moved to ${state.address}`
      if (++missed < maxMissedChecks) continue
      await launcher.stop(signal)
      return `no answer to ${maxMissedChecks} checks in ${(maxMissedChecks * checkMs) / 1_000} s`
    }
  }

  /** A failed query of the cluster does not end a server that may be healthy. */
  function unlessAborted(error: unknown): undefined {
    if (signal.aborted || !(error instanceof LauncherError)) throw error
    return undefined
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      let reason: string
      try {
        reason = await serveOnce(() => (failures = 0))
      } catch (error) {
        if (signal.aborted) return
        reason = error instanceof Error ? error.message : String(error)
      }
      const retryMs = pauseBefore(++failures)
      change({ state: 'failed', detail: `${reason}; tried again in ${Math.round(retryMs / 1_000)} s` })
      onEvent({ kind: 'failed', place, reason, retryMs })
      await sleep(retryMs, signal)
    }
  }

  function pauseBefore(failures: number): number {
    const now = nowMs()
    starts = starts.filter((at) => at > now - hourMs)
    const backoff = Math.min(1_000 * 2 ** Math.min(failures - 1, 10), longestPauseMs)
    return starts.length < limits.startsPerHour ? backoff : Math.max(backoff, starts[0]! + hourMs - now)
  }

  const current = () => status
  const running = run()

  return {
    status: current,
    async ready({ waitMs, signal: ownSignal }) {
      const either = AbortSignal.any([AbortSignal.timeout(waitMs), ownSignal, signal])
      for (;;) {
        const now = current()
        if (now.state === 'ready') return now.server
        ownSignal.throwIfAborted()
        if (either.aborted) throw notReady(now)
        await changeOrAbort(either)
      }
    },
    async close() {
      closing.abort(new LauncherError('this server is closing'))
      await running
      if (stopsAtEnd) await launcher.stop(AbortSignal.timeout(stopMs)).catch((error: unknown) => tellAboutStop(error))
      change({ state: 'stopped', detail: 'it was stopped with this server' })
    },
  }

  function tellAboutStop(error: unknown): void {
    onEvent({
      kind: 'failed',
      place,
      reason: `could not be stopped: ${error instanceof Error ? error.message : String(error)}`,
      retryMs: 0,
    })
  }

  function changeOrAbort(either: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        waiting.delete(done)
        either.removeEventListener('abort', done)
        resolve()
      }
      waiting.add(done)
      either.addEventListener('abort', done, { once: true })
    })
  }
}

/** Shown to users, so it omits the text of the cluster, which may quote the output of the server. */
function notReady({ state }: LaunchStatus): EngineError {
  const reasons = {
    starting: 'it is starting',
    failed: 'it failed and is started again',
    stopped: 'it was stopped',
    ready: 'it just started',
  }
  return new EngineError('unavailable', `the training server is not ready (${reasons[state]}); the log of this server has more`)
}

async function sleepQuietly(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
