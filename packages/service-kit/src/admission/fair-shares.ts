import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'

/** Start-time fair queueing: which key was served least, without credit for the time in which it sent nothing. */
export interface FairShares {
  /** Start tag of the next work of `key`: the lowest is served next. */
  startTag(key: string): number
  /** Charges work of this weight that starts now. */
  charge(key: string, weight: number): void
  /** Charges more for work that has started. */
  addCharge(key: string, weight: number): void
}

/** Keys that are remembered; of more, those served longest ago are forgotten. */
const maxKeys = 10_000

/** Each key has a virtual clock that its work advances, and none lags behind the start tag of the work that started last. */
export function createFairShares(): FairShares {
  const clocks = new LRUCache<string, number>(atMost(maxKeys))
  let virtualTime = 0
  const startTag = (key: string) => Math.max(virtualTime, clocks.get(key) ?? 0)
  const addCharge = (key: string, weight: number) => void clocks.set(key, startTag(key) + weight)
  return {
    startTag,
    charge(key, weight) {
      virtualTime = startTag(key)
      addCharge(key, weight)
    },
    addCharge,
  }
}
