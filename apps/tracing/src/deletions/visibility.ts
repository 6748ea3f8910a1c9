import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type HiddenRecords, nothingHidden, type Visibility } from '../query/visible-records.ts'
import type { DeletionsStore } from './deletions-store.ts'

/** Determines which calls and feedback of a project a reader sees. Queried by every read, so that none returns records that are being deleted. */
export interface ProjectVisibility {
  of(project: ProjectScope): Promise<Visibility>
  /** Records hidden by deletions, by id of the project; projects without deletions are omitted. */
  hiddenIn(projects: readonly ProjectScope[]): Promise<ReadonlyMap<string, HiddenRecords>>
}

export interface ProjectVisibilityDeps {
  deletions: Pick<DeletionsStore, 'hiddenIn'>
  clock: () => Micros
}

export function createProjectVisibility({ deletions, clock }: ProjectVisibilityDeps): ProjectVisibility {
  const hiddenIn = (projects: readonly ProjectScope[]) => deletions.hiddenIn(projects)
  return {
    hiddenIn,
    of: async (project) => ({ now: clock(), hidden: (await hiddenIn([project])).get(project.id) ?? nothingHidden }),
  }
}
