import type { ProjectScope } from '@heddle/identity'
import type { ListPart } from './list-pages.ts'
import type { SelectedCalls } from './query-of-selection.ts'

/** The lists of deletions of data, in the analytical store. */
export interface ListedCallsStore {
  /** @throws ApiError 400 or 422 for a selection that cannot be */
  check(project: ProjectScope, selection: SelectedCalls): Promise<void>
  /** Lists all calls of a selection. May be repeated. */
  listCalls(project: ProjectScope, deletionId: string, selection: SelectedCalls): Promise<void>
  /** Lists what the listed calls may name: texts of the form of a digest. */
  listNamed(project: ProjectScope, deletionId: string): Promise<void>
  /** Adds to these texts. */
  addNamed(project: ProjectScope, deletionId: string, names: AsyncIterable<readonly string[]>): Promise<void>
  count(project: ProjectScope, deletionId: string): Promise<number>
  ids(project: ProjectScope, listId: string, part: ListPart): Promise<string[]>
  /** Ids of the traces of the listed calls. */
  traceIds(project: ProjectScope, deletionId: string, part: ListPart): Promise<string[]>
  /** Ids of the traces of all calls of the project, deleted ones included. */
  allTraceIds(project: ProjectScope, part: ListPart): Promise<string[]>
  countAll(project: ProjectScope): Promise<number>
  /** Removes the lists of a deletion. */
  unlist(project: ProjectScope, deletionId: string): Promise<void>
}
