import {
  type CollectOptions,
  parseGroupBy,
  parseRewardSource,
  policyOf,
  type RulerOptions,
} from '@heddle/agent-instrumentation/from-traces'
import type { TrainingConfig } from '@heddle/core-api/types'
import { parseJson } from '@heddle/json'
import type { Environment } from '../settings/configuration.ts'
import type { Clock } from '../terminal/clock.ts'
import { parseWhole } from '../terminal/parse-whole.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

/** Flags that choose attempts and say how they are grouped, rewarded and trained on. */
export interface SourceFlags {
  since?: string
  until?: string
  op?: string
  thread?: string
  rollout?: string
  query?: string
  limit: string
  groupBy: string
  reward: string
  policy?: string
  keepFailed?: boolean
  allowTrainingWithoutLogprobs?: boolean
  config?: string[]
  judgeModel?: string
  judgeUrl?: string
  judgeKeyVariable: string
  rubric?: string
}

export type JobConfig = Partial<TrainingConfig>

const maxTraces = 100_000

/** @throws UsageError that names the flag, its value and what it takes */
export function toCollectOptions(flags: SourceFlags, clock: Clock): CollectOptions {
  const groupBy = parsed('--group-by', () => parseGroupBy(flags.groupBy))
  return {
    filter: {
      since: parseTime('--since', flags.since, clock),
      until: parseTime('--until', flags.until, clock),
      op: flags.op,
      threadId: flags.thread,
      rolloutId: flags.rollout,
      query: parseQuery(flags.query),
      recordedOnly: groupBy.by === 'recorded' && flags.op === undefined,
    },
    maxTraces: parseWhole('--limit', flags.limit, { to: maxTraces }),
    groupBy,
    reward: parsed('--reward', () => parseRewardSource(flags.reward)),
    isPolicy: policyOf(flags.policy),
    keepFailed: flags.keepFailed ?? false,
    withoutLogprobs: flags.allowTrainingWithoutLogprobs ?? false,
  }
}

interface JudgePlace {
  environment: Environment
  /** Of this server, which judges where no other endpoint is named. */
  baseUrl: string
  apiKey: string
}

/** The key of this server goes to this server alone. @throws UsageError without a model, or with an invalid address */
export function toRulerOptions(flags: SourceFlags, { environment, baseUrl, apiKey }: JudgePlace): RulerOptions {
  const { judgeModel: model, judgeUrl, rubric } = flags
  if (model === undefined) throw new UsageError('--reward ruler needs --judge-model, the model that judges')
  if (judgeUrl === undefined) return { model, rubric, baseUrl: `${baseUrl}/v1`, apiKey }
  if (!URL.canParse(judgeUrl) || !/^https?:/.test(judgeUrl))
    throw new UsageError(`--judge-url must be a URL such as https://models.example/v1, got ${JSON.stringify(judgeUrl)}`)
  return { model, rubric, baseUrl: judgeUrl, apiKey: environment[flags.judgeKeyVariable] }
}

/** @throws UsageError unless it is `name=value` */
export function toJobConfig({
  config = [],
  allowTrainingWithoutLogprobs,
}: Pick<SourceFlags, 'config' | 'allowTrainingWithoutLogprobs'>): JobConfig {
  const entries = config.map((text) => {
    const [, name, value] = /^([a-z][a-z0-9_]*)=(.+)$/s.exec(text) ?? []
    if (name === undefined || value === undefined)
      throw new UsageError(`--config must be name=value, such as learning_rate=0.001, got ${JSON.stringify(text)}`)
    return [name, scalarOf(value)]
  })
  return { ...Object.fromEntries(entries), ...(allowTrainingWithoutLogprobs && { allow_training_without_logprobs: true }) }
}

/** Numbers and booleans as JSON writes them; anything else is text. */
function scalarOf(text: string): unknown {
  return /^(-?\d+(\.\d+)?([eE][-+]?\d+)?|true|false|null)$/.test(text) ? JSON.parse(text) : text
}

function parseTime(flag: string, text: string | undefined, clock: Clock): number | undefined {
  if (text === undefined) return undefined
  const micros = clock.parse(text)
  if (micros === undefined)
    throw new UsageError(
      `${flag} must be a time such as 2026-11-16 or 2026-11-16T08:00:00Z, from 1900 to 2255, got ${JSON.stringify(text)}`,
    )
  return micros
}

function parseQuery(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  const value = parsed('--query', () => parseJson(text))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new UsageError(
    `--query must be a JSON object such as {"$eq": [{"$getField": "wb_user_id"}, {"$literal": "ana"}]}, got ${text.slice(0, 100)}`,
  )
}

function parsed<T>(flag: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(`${flag}: ${messageOf(error)}`)
  }
}
