import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { atMost } from '@heddle/service-kit'
import { LRUCache } from 'lru-cache'
import { elapsedMs } from '../../../elapsed-clock.ts'
import type { RetentionStore } from './retention-store.ts'

/** How long a change made by another server may remain unseen. */
const cacheMs = 2_000
const cachedProjects = 10_000

/** How long the calls of projects are kept. Read for every write, so it is remembered for a moment. */
export interface Retention {
  /** Days from the start of a call; null = for ever. */
  daysOf(project: ProjectScope): Promise<number | null>
  /** Effective immediately on this server, within two seconds on others. */
  set(project: ProjectScope, days: number | null): Promise<void>
}

interface RetentionDeps {
  store: RetentionStore
  clock: () => Micros
}

export function createRetention({ store, clock }: RetentionDeps): Retention {
  const known = new LRUCache<string, { days: number | null }>({
    ...atMost(cachedProjects),
    ttl: cacheMs,
    ttlResolution: 0,
    perf: { now: elapsedMs(clock) },
  })
  let changes = 0
  return {
    async daysOf(project) {
      const cached = known.get(project.id)
      if (cached !== undefined) return cached.days
      const changesBefore = changes
      const days = await store.read(project)
      // The value was read during a change, so it may be outdated.
      if (changes === changesBefore) known.set(project.id, { days })
      return days
    },

    async set(project, days) {
      await store.write(project, days)
      changes++
      known.delete(project.id)
    },
  }
}
