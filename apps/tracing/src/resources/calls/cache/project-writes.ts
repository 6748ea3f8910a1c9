/**
 * Counts writes of calls by project, for those who keep what they computed from the calls of one. What was read while the count stayed the same
 * is what the store holds.
 */
export interface ProjectWrites {
  /** Undefined where other servers write to the same store. */
  countOf(projectId: string): number | undefined
  /** Stores calls of some projects. Their count changes before and after. */
  storing(projectIds: Iterable<string>, store: () => Promise<void>): Promise<void>
}

/** For servers that share their store. */
export const unknownWrites: ProjectWrites = { countOf: () => undefined, storing: (_, store) => store() }

const maxProjects = 10_000

/** For the only server of a store. Remembers 10,000 projects at a time; the others share one count. */
export function createProjectWrites(): ProjectWrites {
  const counts = new Map<string, number>()
  let last = 0
  let others = 0

  function note(projectIds: Iterable<string>): void {
    last++
    for (const id of projectIds) counts.set(id, last)
    if (counts.size <= maxProjects) return
    counts.clear()
    others = last
  }

  return {
    countOf: (projectId) => counts.get(projectId) ?? others,
    async storing(projectIds, store) {
      const written = new Set(projectIds)
      note(written)
      try {
        await store()
      } finally {
        note(written)
      }
    },
  }
}
