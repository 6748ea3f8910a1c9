import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ModelUsage } from '../../query/model-usage.ts'
import type { PriceSplits } from '../../query/price-splits.ts'

/** What happened in a project since some time. */
export interface ProjectActivity {
  calls: number
  errors: number
  /** Start of the newest of them. */
  lastStart: Micros
  /** Tokens of these calls by model. */
  usage: readonly ModelUsage[]
}

/** Calls that started since a time, and have not expired now. */
export interface ActivityRange {
  since: Micros
  now: Micros
}

/** The calls of several projects, which the caller may read, in one statement. Projects without any are not in the results. */
export interface ProjectActivityStore {
  activity(projects: readonly ProjectScope[], range: ActivityRange): Promise<Map<string, ProjectActivity>>
  /** The usage of these projects alone, by model and the times between changes of its price. */
  usage(projects: readonly ProjectScope[], range: ActivityRange, splits: PriceSplits): Promise<Map<string, ModelUsage[]>>
  /** Starts of the newest calls. A call that was deleted counts until its rows are removed. */
  lastStarts(projects: readonly ProjectScope[]): Promise<Map<string, Micros>>
}
