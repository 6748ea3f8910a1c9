import type { DataSelection } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ListPart } from './list-pages.ts'

/** Content that is addressed by digest, of which a deletion of data covers what only deleted records name. */
export interface NamedContentStore {
  /** Texts of the form of a digest in the values of objects, in parts. */
  namedByValues(project: ProjectScope, digests: readonly string[]): AsyncIterable<string[]>
  /** The same in the rows of the tables that a deletion lists as named. */
  namedByRows(project: ProjectScope, deletionId: string): AsyncIterable<string[]>
  /** Tables that the deletion covers if no other record names them. */
  tables(project: ProjectScope, covered: CoveredContent, part: ListPart): Promise<string[]>
  /** Files that the deletion covers if no other record names them. */
  files(project: ProjectScope, covered: CoveredContent, part: ListPart): Promise<string[]>
  /** Which of some digests a stored record names. At most 200. */
  stillNamed(project: ProjectScope, digests: readonly string[]): Promise<ReadonlySet<string>>
  /** Removes tables with the rows that no other table has, and resolves to the number of these rows. */
  removeTables(project: ProjectScope, digests: readonly string[], storedBefore: Micros): Promise<number>
  /** Removes files; their bytes go unless another project has the same. Resolves to their number. */
  removeFiles(project: ProjectScope, digests: readonly string[], storedBefore: Micros): Promise<number>
}

export interface CoveredContent {
  deletionId: string
  selection: DataSelection
}
