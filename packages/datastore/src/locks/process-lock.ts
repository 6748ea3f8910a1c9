import { StoreError } from '../analytical/analytical.ts'
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
    async withKeys(keys, work) {
      let release = () => {}
      const ended = new Promise<void>((resolve) => {
        release = resolve
      })
      const before = join(new Set(keys), ended)
      try {
        if (before.length > 0) await inTime(Promise.all(before), maxWaitMs)
        return await work()
      } finally {
        release()
      }
    },
  }
}

function inTime(acquired: Promise<unknown>, maxWaitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StoreError('busy', `cannot acquire a lock within ${maxWaitMs} ms`)), maxWaitMs)
    void acquired.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
