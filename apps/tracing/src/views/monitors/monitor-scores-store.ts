import type { ProjectScope } from '@heddle/identity'
import type { ModelUsage } from '../../query/model-usage.ts'
import type { PriceSplits } from '../../query/price-splits.ts'

/** Scores that are stored of one monitor. */
export interface MonitorScores {
  scored: number
  failed: number
}

/** Usage of one monitor's judges, by model and price. */
export interface MonitorUsage extends ModelUsage {
  monitor: string
}

/** Facts about the scores of monitors, from the calls of a project. */
export interface MonitorScoresStore {
  /** By the name of the monitor; those without scores are omitted. */
  countScores(project: ProjectScope, names: readonly string[]): Promise<Map<string, MonitorScores>>
  /** Of usage that counts: that of the judges' requests, which traces of scores have. */
  readUsage(project: ProjectScope, names: readonly string[], splits: PriceSplits): Promise<MonitorUsage[]>
}
