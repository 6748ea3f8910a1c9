import type { RecordCalls, TracedCall } from './traced-call.ts'

/** Calls of all projects that wait to be stored. */
export const maxWaitingCalls = 2_000
const callsAtOnce = 100
/** Projects whose calls are stored at the same time, so that one that is slow does not delay all others. */
const projectsAtOnce = 4
/** Time in which some calls are stored, or left out. */
const storingMs = 30_000
/** Time that the end of a server waits for those that are left. */
const closingMs = 5_000

/** Has calls stored in the background: nothing waits for it, and what cannot be stored is left out. */
export interface CallOutbox {
  /** False: it is left out, since as many calls of its project wait as there is room for others. */
  add(projectId: string, call: TracedCall): boolean
  /** Resolves when everything is stored or left out. */
  close(): Promise<void>
}

/** Why calls were left out: too many waited, or they could not be stored. */
type UntracedReason = 'full' | 'failed'

export interface CallOutboxDeps {
  record: RecordCalls
  /** Is called for calls that are left out: with each that found no room, and with all of a failure. */
  onUntraced: (reason: UntracedReason, calls: number) => void
  /** Is called once for each failure, and once whenever a project has too many. */
  onError: (error: unknown) => void
}

/** Calls of a project that wait. */
interface Queue {
  calls: TracedCall[]
  /** Since it last had room. */
  isFull: boolean
  isSending: boolean
}

/**
 * The projects share the room fairly without a fixed part for each: calls of a project are taken while fewer of it wait than there is room left for.
 * One alone has half of the room, and a project that comes later always finds some. Projects take turns in being stored.
 */
export function createCallOutbox({ record, onUntraced, onError }: CallOutboxDeps): CallOutbox {
  /** In the order of their turns. */
  const queues = new Map<string, Queue>()
  const closing = new AbortController()
  const sendings = new Set<Promise<void>>()
  let waiting = 0

  async function send(projectId: string, queue: Queue): Promise<void> {
    const calls = queue.calls.splice(0, callsAtOnce)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(storingMs)])
    try {
      await record(projectId, calls, signal)
    } catch (error) {
      onUntraced('failed', calls.length)
      onError(error)
    }
    waiting -= calls.length
    Object.assign(queue, { isFull: false, isSending: false })
    queues.delete(projectId)
    if (queue.calls.length > 0) queues.set(projectId, queue)
  }

  function sendNext(): void {
    if (closing.signal.aborted) return leaveOut()
    for (const [projectId, queue] of queues) {
      if (sendings.size >= projectsAtOnce) return
      if (queue.isSending) continue
      queue.isSending = true
      // In a microtask of its own, so that calls that are added together are stored together.
      const sending: Promise<void> = Promise.resolve()
        .then(() => send(projectId, queue))
        .finally(() => {
          sendings.delete(sending)
          sendNext()
        })
      sendings.add(sending)
    }
  }

  function leaveOut(): void {
    for (const { calls } of queues.values()) {
      if (calls.length > 0) onUntraced('failed', calls.length)
      waiting -= calls.splice(0).length
    }
  }

  return {
    add(projectId, call) {
      const queue = queues.get(projectId) ?? { calls: [], isFull: false, isSending: false }
      if (queue.calls.length >= maxWaitingCalls - waiting) {
        onUntraced('full', 1)
        if (!queue.isFull) onError(new Error(`${queue.calls.length} calls of a project wait to be stored; further ones are left out`))
        queue.isFull = true
        return false
      }
      queue.calls.push(call)
      waiting += 1
      queues.set(projectId, queue)
      sendNext()
      return true
    },
    async close() {
      const timer = setTimeout(() => closing.abort(new Error('the server ends')), closingMs)
      while (sendings.size > 0) await Promise.all(sendings)
      clearTimeout(timer)
    },
  }
}
