import type { ProjectScope } from '@heddle/identity'
import type { RowSelection } from '../../query/compile/select-rows.ts'
import type { CostRow } from './cost-row.ts'

/** Storage of the prices that users of a project created. */
export interface CostsStore {
  /** Number of rows of the project. */
  count(project: ProjectScope): Promise<number>
  /** Appends all rows or none. */
  insert(project: ProjectScope, rows: readonly CostRow[]): Promise<void>
  /** The selected rows in the requested order, by default by creation, then id. @throws ApiError 400 for an invalid selection. */
  select(project: ProjectScope, selection: RowSelection): Promise<CostRow[]>
  /** The rows of some models in these projects, in no promised order. */
  findByModels(projects: readonly ProjectScope[], models: readonly string[]): Promise<CostRow[]>
  /** Removes rows; ids of no row of the project are ignored. */
  delete(project: ProjectScope, ids: readonly string[]): Promise<void>
}
