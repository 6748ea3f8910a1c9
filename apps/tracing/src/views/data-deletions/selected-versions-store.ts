import type { DataSelection } from '@heddle/core-api/types'
import type { ProjectScope } from '@heddle/identity'
import type { StoredVersion } from '../../records/objects/objects-store.ts'
import type { ListPart } from './list-pages.ts'

export type SelectedVersion = Pick<StoredVersion, 'object_id' | 'kind' | 'digest'>

/** The versions of objects that a deletion of data covers: those of its user, or all of the project. Those of a query of calls: none. */
export interface SelectedVersionsStore {
  count(project: ProjectScope, selection: DataSelection): Promise<number>
  /** Digests of all of them, deleted ones included. */
  digests(project: ProjectScope, selection: DataSelection, part: ListPart): Promise<string[]>
  /** Live ones of one name, at most `limit`; empty when none is left. */
  live(project: ProjectScope, selection: DataSelection, limit: number): Promise<SelectedVersion[]>
  /** Deleted ones that still have an author, at most `limit`. */
  deleted(project: ProjectScope, selection: DataSelection, limit: number): Promise<SelectedVersion[]>
  /** Removes the author of deleted versions. */
  forgetAuthor(project: ProjectScope, versions: readonly SelectedVersion[]): Promise<void>
}
