import { setMaxListeners } from 'node:events'
import { StoreError } from '../work/store-error.ts'
import { assertNotAborted, cancelledError } from '../work/cancelled-error.ts'
import type { KeyedLock } from './keyed-lock.ts'

export interface ProcessLockOptions {
  /** Maximum milliseconds to wait for all keys together. Default 10 000. */
  maxWaitMs?: number
}

/** Locks within one process, first come first served per key. */
export function processLock(options: ProcessLockOptions = {}): KeyedLock {
  const maxWaitMs = options.maxWaitMs ?? 10_000
  /** For each held key a promise that settles when the last caller in its queue has finished. */
  const tails = new Map<string, Promise<unknown>>()

  function forget(key: string, tail: Promise<unknown>): void {
    if (tails.get(key) === tail) tails.delete(key)
  }

  /** Joins the queues of all keys atomically, so there are no deadlocks. Returns the promises to wait for; none for free keys. */
  function join(keys: ReadonlySet<string>, ended: Promise<void>): Promise<unknown>[] {
    const before: Promise<unknown>[] = []
    for (const key of keys) {
      const known = tails.get(key)
      if (known === undefined) tails.set(key, ended)
      else {
        before.push(known)
        const tail = Promise.all([known, ended])
        tails.set(key, tail)
        void tail.then(() => forget(key, tail))
      }
    }
    void ended.then(() => keys.forEach((key) => forget(key, ended)))
    return before
  }

  return {
    async withKeys({ signal }, keys, work) {
      assertNotAborted('the wait for a lock', signal)
      let release = () => {}
      const ended = new Promise<void>((resolve) => {
        release = resolve
      })
      const before = join(new Set(keys), ended)
      try {
        if (before.length > 0) await inTime(Promise.all(before), { maxWaitMs, signal })
        // It may have aborted between the acquisition and this line.
        assertNotAborted('the wait for a lock', signal)
        return await work()
      } finally {
        release()
      }
    },
  }
}

interface Wait {
  maxWaitMs: number
  signal: AbortSignal | undefined
}

function inTime(acquired: Promise<unknown>, { maxWaitMs, signal }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
    }
    const leave = () => {
      stop()
      if (signal) reject(cancelledError('the wait for a lock', signal))
    }
    const timer = setTimeout(() => {
      stop()
      reject(new StoreError('busy', `cannot acquire a lock within ${maxWaitMs} ms`))
    }, maxWaitMs)
    // A request may wait for many locks concurrently.
    if (signal) setMaxListeners(0, signal)
    signal?.addEventListener('abort', leave, { once: true })
    void acquired.then(() => {
      stop()
      resolve()
    })
  })
}
