import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ModelUsage } from '../../query/model-usage.ts'

/** What happened in a project since some time. */
export interface ProjectActivity {
  calls: number
  errors: number
  /** Start of the newest of them. */
  lastStart: Micros
  /** Tokens of these calls by model. */
  usage: readonly ModelUsage[]
}

/** The calls of several projects, which the caller may read, in one statement. Projects without any are not in the results. */
export interface ProjectActivityStore {
  activity(projects: readonly ProjectScope[], range: { since: Micros; now: Micros }): Promise<Map<string, ProjectActivity>>
  /** Starts of the newest calls. A call that was deleted counts until its rows are removed. */
  lastStarts(projects: readonly ProjectScope[]): Promise<Map<string, Micros>>
}
