import type { EstimateOptions } from '@heddle/evaluations'
import { parseProjectId } from '@heddle/identity'
import { connect } from '../../connect.ts'
import type { ResultsSource } from '../../eval/read/results-source.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { parseWhole } from '../../terminal/parse-whole.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { UsageError } from '../../terminal/usage-error.ts'

export interface EvalOptions {
  /** `entity/project`. */
  project: string
  json?: boolean
}

/** Texts of the flags; `parseStatistics` checks them. */
export interface StatisticsOptions {
  confidence: string
  seed: string
}

export interface EvalDeps {
  configuration: Configuration
  terminal: Terminal
  /** Ends reading. */
  signal: AbortSignal
}

/** Where the results of the evaluations of a project are read. @throws UsageError without a key for the server */
export async function openResults(options: EvalOptions, { configuration, signal }: EvalDeps): Promise<ResultsSource> {
  const project = parseProjectId(options.project)
  const { client, exactClient } = await connect(configuration)
  return { client, exactClient, project, signal }
}

/** @throws UsageError unless the confidence is from 0.5 to 0.999 and the seed an integer of 32 bits */
export function parseStatistics({ confidence, seed }: StatisticsOptions): EstimateOptions {
  const level = /^0?\.\d+$/.test(confidence) ? Number(confidence) : Number.NaN
  if (!(level >= 0.5 && level <= 0.999))
    throw new UsageError(`--confidence must be a number from 0.5 to 0.999, got ${JSON.stringify(confidence)}`)
  return { confidence: level, seed: parseWhole('--seed', seed, { from: 0, to: 4_294_967_295 }) }
}
