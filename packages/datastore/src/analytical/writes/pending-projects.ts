/** Which blocks of a journal may hold rows of which projects. Blocks are numbered from 1, in the order in which they reach the table. */
export interface PendingProjects {
  /** Notes a block with rows of these projects; undefined: of any. */
  note(projects: readonly string[] | undefined, block: number): void
  /** The last block that may hold rows of one of these projects; 0 for none that was noted and not forgotten. */
  lastOf(projects: readonly string[]): number
  /** Forgets the blocks up to this one, which are in the table. */
  forget(block: number): void
}

/** `unknown`: so many blocks were left by an earlier process, with rows of any project. Holds one entry for each project with rows that are not in the table. */
export function createPendingProjects(unknown: number): PendingProjects {
  let lastOfAny = unknown
  const last = new Map<string, number>()
  return {
    note(projects, block) {
      if (projects === undefined) lastOfAny = Math.max(lastOfAny, block)
      else for (const project of projects) last.set(project, Math.max(last.get(project) ?? 0, block))
    },
    lastOf: (projects) => projects.reduce((latest, project) => Math.max(latest, last.get(project) ?? 0), lastOfAny),
    forget(block) {
      for (const [project, latest] of last) if (latest <= block) last.delete(project)
    },
  }
}
