import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { PaidTokens } from '../costs/price-usage.ts'

/** Scores that are stored of one monitor. */
export interface MonitorScores {
  scored: number
  failed: number
}

/** Tokens of the judges of one monitor with one model, on one day. */
export interface MonitorUsage {
  monitor: string
  model: string
  /** Start of the first of these scores. */
  since: Micros
  tokens: PaidTokens
}

/** What the calls of a project tell of the scores that monitors made. */
export interface MonitorScoresStore {
  /** By the name of the monitor; those without scores are left out. */
  countScores(project: ProjectScope, names: readonly string[]): Promise<Map<string, MonitorScores>>
  readUsage(project: ProjectScope, names: readonly string[]): Promise<MonitorUsage[]>
}
