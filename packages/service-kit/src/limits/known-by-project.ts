import { createProjectsCache, type ProjectsCacheOptions } from './projects-cache.ts'

/** What is read of projects again and again, and seldom written. Where several servers share the store, a write of another is seen within 5 s. */
export interface KnownByProject<Value extends NonNullable<unknown>> {
  /** Undefined where it is not known. */
  get(projectId: string): Value | undefined
  /** Reads, and remembers what was read unless something was written meanwhile. */
  load(projectId: string, read: () => Promise<Value>): Promise<Value>
  /** To be called after each write of this server. */
  forget(projectId: string): void
}

export function createKnownByProject<Value extends NonNullable<unknown>>(options: ProjectsCacheOptions): KnownByProject<Value> {
  const known = createProjectsCache<Value>(options)
  let writes = 0
  return {
    get: (projectId) => known.get(projectId),
    async load(projectId, read) {
      const writesBefore = writes
      const value = await read()
      // What was read while somebody wrote it may be what was there before.
      if (writes === writesBefore) known.set(projectId, value)
      return value
    },
    forget(projectId) {
      writes++
      known.delete(projectId)
    },
  }
}
