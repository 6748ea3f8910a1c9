import type { RecordCalls, TracedCall } from './traced-call.ts'

/** Calls that wait to be stored; further ones are left out. */
export const maxWaitingCalls = 1_000
const callsAtOnce = 100
/** Time in which some calls are stored, or left out. */
const storingMs = 30_000
/** Time that the end of a server waits for those that are left. */
const closingMs = 5_000

/** Has calls stored in the background: nothing waits for it, and what cannot be stored is left out. */
export interface CallOutbox {
  add(projectId: string, call: TracedCall): void
  /** Resolves when everything is stored or left out. */
  close(): Promise<void>
}

/** `onError` is called for calls that are left out: once for each failure, and once whenever there are too many. */
export function createCallOutbox(record: RecordCalls, onError: (error: unknown) => void): CallOutbox {
  const waiting: { projectId: string; call: TracedCall }[] = []
  const closing = new AbortController()
  let sending: Promise<void> | undefined
  let isFull = false

  function takeOfOneProject(): { projectId: string; calls: TracedCall[] } {
    const { projectId } = waiting[0]!
    const other = waiting.slice(0, callsAtOnce).findIndex((each) => each.projectId !== projectId)
    return { projectId, calls: waiting.splice(0, other < 0 ? callsAtOnce : other).map(({ call }) => call) }
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0 && !closing.signal.aborted) {
      const { projectId, calls } = takeOfOneProject()
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(storingMs)])
      await record(projectId, calls, signal).catch(onError)
      isFull = false
    }
    waiting.length = 0
    sending = undefined
  }

  return {
    add(projectId, call) {
      if (waiting.length >= maxWaitingCalls) {
        if (!isFull) onError(new Error(`${maxWaitingCalls} calls wait to be stored; further ones are left out`))
        isFull = true
        return
      }
      waiting.push({ projectId, call })
      sending ??= Promise.resolve().then(sendAll)
    },
    async close() {
      const timer = setTimeout(() => closing.abort(new Error('the server ends')), closingMs)
      await sending
      clearTimeout(timer)
    },
  }
}
