import { setTimeout as pause } from 'node:timers/promises'
import { type EngineLauncher, LauncherError } from './engine-launcher.ts'
import { type LaunchStatus, type ReadyServer, WatchedStatus } from './launch-status.ts'
import { RestartPause } from './restart-pause.ts'

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

/** A training server that is started on a cluster, watched, and restarted when it ends. */
export interface LaunchedServer {
  status(): LaunchStatus
  /** Waits for a server that responds. @throws EngineError `unavailable` after `waitMs` */
  ready(options: { waitMs: number; signal: AbortSignal }): Promise<ReadyServer>
  /** Stops the server if `stopsAtEnd`. */
  close(): Promise<void>
}

/** Between two queries of the cluster while the server starts, and between two checks of a server that answered. */
const startPollMs = 1_000
const checkMs = 10_000
/** Checks in a row without a response after which a server counts as lost. */
const maxMissedChecks = 6
/** Timeout of the request to stop the server while this process closes. */
const stopMs = 10_000

/** Where the server answered, or why it did not. */
type StartResult = { address: string } | { failure: string }

/**
 * Starts the server with this call, and keeps it running until `close`. Each round of `keepRunning` is one run of the server:
 * `start` until it answers, `watch` until it has ended, then a pause.
 */
export function createLaunchedServer(options: LaunchedServerOptions): LaunchedServer {
  const { launcher, limits, probe, onEvent, stopsAtEnd, nowMs = () => performance.now(), sleep = sleepQuietly } = options
  const { place } = launcher
  const closing = new AbortController()
  const { signal } = closing
  const status = new WatchedStatus({ state: 'starting', detail: `has not asked ${place} yet` })
  const restartPause = new RestartPause(limits.startsPerHour)
  let generation = 0

  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      let reason: string
      try {
        reason = await runOnce()
      } catch (error) {
        if (signal.aborted) return
        reason = textOf(error)
      }
      const retryMs = restartPause.afterFailure(nowMs())
      status.change({ state: 'failed', detail: `${reason}; tried again in ${Math.round(retryMs / 1_000)} s` })
      onEvent({ kind: 'failed', place, reason, retryMs })
      await sleep(retryMs, signal)
    }
  }

  /** Resolves to the reason once the server has ended. @throws LauncherError */
  async function runOnce(): Promise<string> {
    const started = await start()
    if ('failure' in started) return started.failure
    const { address } = started
    status.change({ state: 'ready', server: { address, generation: ++generation } })
    onEvent({ kind: 'ready', place, address })
    restartPause.noteSuccess()
    return watch(address)
  }

  /** Has the cluster start a server, or adopts one, and waits until it answers. */
  async function start(): Promise<StartResult> {
    const deadline = nowMs() + limits.startMs
    let isSubmitted = false
    let detail = `asks ${place} to start the server`
    while (nowMs() < deadline) {
      status.change({ state: 'starting', detail })
      isSubmitted ||= await submit()
      const progress = isSubmitted ? await readStart() : waitsForAnother
      if (typeof progress !== 'string') return progress
      detail = progress
      await sleep(startPollMs, signal)
      signal.throwIfAborted()
    }
    if (isSubmitted) await launcher.stop(signal)
    return { failure: `no answer within ${Math.round(limits.startMs / 1_000)} s of the start: ${detail}` }
  }

  const waitsForAnother = `waits for another server of this name on ${place} to stop or to show itself`

  /** False while another server of the name has to stop first. */
  async function submit(): Promise<boolean> {
    const outcome = await launcher.start(signal)
    if (outcome === 'waiting') return false
    if (outcome === 'started') restartPause.noteStart(nowMs())
    onEvent({ kind: outcome === 'started' ? 'launched' : 'adopted', place })
    return true
  }

  /** The result of the start, or what it waits for. */
  async function readStart(): Promise<StartResult | string> {
    const state = await launcher.state(signal)
    if (state.kind === 'absent') return { failure: `${place} has no such job any more` }
    if (state.kind === 'ended') return { failure: state.reason }
    if (state.kind === 'pending') return state.detail
    const { address } = state
    return (await probe(address, signal)) ? { address } : `runs at ${address} and does not answer yet`
  }

  /** Checks the server until it has ended, and resolves to the reason. */
  async function watch(address: string): Promise<string> {
    let missedChecks = 0
    for (;;) {
      await sleep(checkMs, signal)
      signal.throwIfAborted()
      if (await probe(address, signal)) {
        missedChecks = 0
        // A full disk must not stop a healthy server.
        await launcher.shortenOutput().catch(() => undefined)
        continue
      }
      const ending = await readEnding(address)
      if (ending !== null) return ending
      if (++missedChecks < maxMissedChecks) continue
      await launcher.stop(signal)
      return `no answer to ${maxMissedChecks} checks in ${(maxMissedChecks * checkMs) / 1_000} s`
    }
  }

  /** Why the server that does not answer has ended; null if it has not, as far as the cluster says. */
  async function readEnding(address: string): Promise<string | null> {
    const state = await launcher.state(signal).catch((error: unknown) => {
      // A failed query of the cluster does not end a server that may be healthy.
      if (signal.aborted || !(error instanceof LauncherError)) throw error
      return null
    })
    if (state?.kind === 'absent') return `${place} has no such job any more`
    if (state?.kind === 'ended') return state.reason
    return state?.kind === 'running' && state.address !== address ? `it moved to ${state.address}` : null
  }

  const running = keepRunning()

  return {
    status: () => status.current,
    ready: ({ waitMs, signal: ownSignal }) =>
      status.untilReady({ deadline: AbortSignal.any([AbortSignal.timeout(waitMs), signal]), signal: ownSignal }),
    async close() {
      closing.abort(new LauncherError('this server is closing'))
      await running
      if (stopsAtEnd) {
        await launcher.stop(AbortSignal.timeout(stopMs)).catch((error: unknown) => {
          onEvent({ kind: 'failed', place, reason: `could not be stopped: ${textOf(error)}`, retryMs: 0 })
        })
      }
      status.change({ state: 'stopped', detail: 'it was stopped with this server' })
    },
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function sleepQuietly(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
