import { StoreError } from '../analytical/analytical.ts'
import { lockOrder, type KeyedLock } from './keyed-lock.ts'

export interface ProcessLockOptions {
  /** Milliseconds to wait for all keys together. Default 10 000. */
  maxWaitMs?: number
}

/** Locks among the callers of one process, first come first served for each key. */
export function processLock(options: ProcessLockOptions = {}): KeyedLock {
  const maxWaitMs = options.maxWaitMs ?? 10_000
  /** For each key that is held, the end of the last caller in its queue. */
  const tails = new Map<string, Promise<void>>()

  /** Joins the queues of all keys at once, so no circle can form. */
  function join(keys: readonly string[], ended: Promise<void>): Promise<unknown> {
    const before = keys.map((key) => tails.get(key))
    for (const key of keys) {
      const tail = Promise.all([tails.get(key), ended]).then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      tails.set(key, tail)
    }
    return Promise.all(before)
  }

  return {
    async withKeys(keys, work) {
      let leave = () => {}
      const ended = new Promise<void>((resolve) => {
        leave = resolve
      })
      const turn = join(lockOrder(keys), ended)
      try {
        await inTime(turn, maxWaitMs)
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
