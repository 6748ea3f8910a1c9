import { StoreError } from '../analytical/analytical.ts'
import type { KeyedLock } from './keyed-lock.ts'

export interface ProcessLockOptions {
  /** Milliseconds to wait for all keys together. Default 10 000. */
  maxWaitMs?: number
}

/** Locks among the callers of one process, first come first served for each key. */
export function processLock(options: ProcessLockOptions = {}): KeyedLock {
  const maxWaitMs = options.maxWaitMs ?? 10_000
  /** For each key that is held, the end of the last caller in its queue and of those before it. */
  const tails = new Map<string, Promise<unknown>>()

  function forget(key: string, tail: Promise<unknown>): void {
    if (tails.get(key) === tail) tails.delete(key)
  }

  /** Joins the queues of all keys at once, so no circle can form. Returns what has to end first: nothing for keys that are free. */
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
      let leave = () => {}
      const ended = new Promise<void>((resolve) => {
        leave = resolve
      })
      const before = join(new Set(keys), ended)
      try {
        if (before.length > 0) await inTime(Promise.all(before), maxWaitMs)
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function inTime(turn: Promise<unknown>, maxWaitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StoreError('busy', `a lock was not free within ${maxWaitMs} ms`)), maxWaitMs)
    void turn.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
