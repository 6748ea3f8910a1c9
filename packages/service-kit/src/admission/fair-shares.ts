import { LRUCache } from 'lru-cache'

/** Who was served how much, so that the next turn goes to whoever had least. Those who come back after a pause have saved nothing up. */
export interface FairShares {
  /** Where the next work of `key` stands in line: the lowest is next. */
  placeOf(key: string): number
  /** Work of this weight begins. */
  begin(key: string, weight: number): void
  /** Work that began turned out to weigh so much more. */
  add(key: string, weight: number): void
}

/** Keys that are remembered; the debt of those served longest ago is forgiven first. */
const maxKeys = 10_000

/** Start-time fair queueing: each key has a clock that its work moves on, and no clock lags behind that of the work begun last. */
export function createFairShares(): FairShares {
  const clocks = new LRUCache<string, number>({ max: maxKeys })
  let latest = 0
  const placeOf = (key: string) => Math.max(latest, clocks.get(key) ?? 0)
  const add = (key: string, weight: number) => void clocks.set(key, placeOf(key) + weight)
  return {
    placeOf,
    begin(key, weight) {
      latest = placeOf(key)
      add(key, weight)
    },
    add,
  }
}
