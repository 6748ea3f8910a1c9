import { type LimitChanges, limitNames, type LimitValues } from '@heddle/core-api/internal'
import { createProjectCache } from './project-cache.ts'
import type { LimitedProject, ProjectLimitsStore } from './project-limits-store.ts'

export interface KnownLimitsOptions {
  store: ProjectLimitsStore
  /** The operator's limits for each project. */
  serverLimits: LimitValues
  /** True when other servers set limits in the same store. */
  sharesStore: boolean
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number
}

/** The limits of one project, as known here. */
export interface KnownLimits {
  own: LimitValues
  /** The lower ones of `own` and those of the server; undefined where no limit holds. */
  inForce: LimitValues | undefined
}

/** The limits of projects. They are cached, since each request needs them. */
export interface LimitsOfProjects {
  /** Returned without a promise if they are known. */
  of(projectId: string): KnownLimits | Promise<KnownLimits>
  /** Effective immediately on this server, within 5 s on other servers. */
  set(project: LimitedProject, changes: LimitChanges): Promise<void>
}

export function createLimitsOfProjects({ store, serverLimits, sharesStore, nowMs }: KnownLimitsOptions): LimitsOfProjects {
  const known = createProjectCache<KnownLimits>({ sharesStore, nowMs })
  const loading = new Map<string, Promise<KnownLimits>>()

  async function read(projectId: string): Promise<KnownLimits> {
    const own = await store.read(projectId)
    return { own, inForce: lowerOnes(own, serverLimits) }
  }

  function loadOnce(projectId: string): Promise<KnownLimits> {
    const under = loading.get(projectId)
    if (under) return under
    const loaded = known
      .load(projectId, () => read(projectId))
      .finally(() => {
        if (loading.get(projectId) === loaded) loading.delete(projectId)
      })
    loading.set(projectId, loaded)
    return loaded
  }

  return {
    of: (projectId) => known.get(projectId) ?? loadOnce(projectId),
    async set(project, wanted) {
      await store.write(project, wanted)
      known.forget(project.id)
      loading.delete(project.id)
    },
  }
}

function lowerOnes(own: LimitValues, server: LimitValues): LimitValues | undefined {
  const lower = (name: keyof LimitValues) => {
    const values = [own[name], server[name]].filter((value) => value !== null)
    return values.length === 0 ? null : Math.min(...values)
  }
  const limits = Object.fromEntries(limitNames.map((name) => [name, lower(name)])) as LimitValues
  return limitNames.some((name) => limits[name] !== null) ? limits : undefined
}
