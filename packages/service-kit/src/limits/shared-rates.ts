import type { ProjectLimitsStore } from './project-limits-store.ts'
import type { RequestRates } from './request-rates.ts'

const dayMs = 86_400_000
const exchangeEveryMs = 1_000

export interface SharedRatesOptions {
  store: Pick<ProjectLimitsStore, 'addRequests' | 'deleteRequestsBefore'>
  rates: Pick<RequestRates, 'takeCounted' | 'putBack' | 'takeElsewhere'>
  /** Milliseconds since 1970. */
  wallClockMs: () => number
  /** Called when an exchange failed; the next one reports the counts. */
  onError: (error: unknown) => void
}

/** Exchanges the consumed part of each project's rates with the other servers of a store. */
export interface SharedRates {
  /** One exchange: a statement where requests were counted since the last one, and none else. */
  exchange(): Promise<void>
  /** Reports the remaining counts, and ends. */
  close(): Promise<void>
}

/**
 * Exchanges counts once a second. Until then a server is unaware of requests that the others admit, and takes them as a debt afterwards: over any
 * time the servers together admit as many requests as one would, plus each server's burst and the requests of one more second.
 */
export function createSharedRates({ store, rates, wallClockMs, onError }: SharedRatesOptions): SharedRates {
  let exchanged: Promise<void> = Promise.resolve()
  let cleanedDay = 0
  const timer = setInterval(() => void exchangeNext(), exchangeEveryMs).unref()

  async function exchange(): Promise<void> {
    const counted = rates.takeCounted()
    if (counted.length === 0) return
    const day = Math.floor(wallClockMs() / dayMs)
    try {
      // In one order on all servers, so that none waits for another that waits for it.
      const ordered = counted.toSorted((a, b) => (a.rate + a.subject < b.rate + b.subject ? -1 : 1))
      rates.takeElsewhere(await store.addRequests(ordered, day), counted)
    } catch (error) {
      rates.putBack(counted)
      onError(error)
      return
    }
    if (day !== cleanedDay) await store.deleteRequestsBefore(day - 1).then(() => (cleanedDay = day), onError)
  }

  /** One exchange after the other. */
  function exchangeNext(): Promise<void> {
    return (exchanged = exchanged.then(exchange))
  }

  return {
    exchange: exchangeNext,
    async close() {
      clearInterval(timer)
      await exchangeNext()
    },
  }
}
