import { createProjectLru, type ProjectCacheOptions } from './project-lru.ts'

/** Caches a value of each project that is read often and written rarely. Where several servers share the store, a write of another server is seen within 5 s. */
export interface ProjectCache<Value extends NonNullable<unknown>> {
  /** Undefined if it is not cached. */
  get(projectId: string): Value | undefined
  /** Reads, and caches the value unless this server wrote meanwhile. */
  load(projectId: string, read: () => Promise<Value>): Promise<Value>
  /** To be called after each write of this server. */
  forget(projectId: string): void
}

export function createProjectCache<Value extends NonNullable<unknown>>(options: ProjectCacheOptions): ProjectCache<Value> {
  const known = createProjectLru<Value>(options)
  let writes = 0
  return {
    get: (projectId) => known.get(projectId),
    async load(projectId, read) {
      const writesBefore = writes
      const value = await read()
      // A value that was read during a write may be the old one.
      if (writes === writesBefore) known.set(projectId, value)
      return value
    },
    forget(projectId) {
      writes++
      known.delete(projectId)
    },
  }
}
