import { tooManyRequests } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { createPermitQueue, type PermitLimits } from '@heddle/service-kit'

/** A page of more trials than this is large: its rows are scattered over the table, and its text is many MiB. */
export const largePageTrials = 2_000

const defaultLimits: PermitLimits = {
  running: 2,
  runningOfCaller: 1,
  runningOfProject: 1,
  queueTimeoutMs: 60_000,
  waiting: 32,
  waitingOfProject: 8,
}
const retryAfterSeconds = 10

/** Bounds the large pages that are built concurrently, since each is held in memory: two in all, one for each API key and project. */
export interface LargePages {
  /** @throws 429 if earlier pages take too long, or too many wait */
  run<T>(project: ProjectScope, make: () => Promise<T>): Promise<T>
}

export function createLargePages(limits: Partial<PermitLimits> = {}): LargePages {
  const permits = createPermitQueue({ limits: { ...defaultLimits, ...limits }, nowMs: () => performance.now() })
  return {
    async run(project, make) {
      const tenant = project.tenant ?? { caller: '', project: project.id }
      const release = await permits.acquire(tenant, project.signal ?? new AbortController().signal)
      if (release === undefined)
        throw tooManyRequests(
          `Other pages of more than ${largePageTrials} trials are being made: ask for pages by limit and offset, or try again`,
          retryAfterSeconds,
        )
      try {
        return await make()
      } finally {
        release()
      }
    },
  }
}
