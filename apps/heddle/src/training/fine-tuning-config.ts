import { training } from '@heddle/core-api'
import type { z } from 'zod'
import { UsageError } from '../terminal/usage-error.ts'

/** Settings of a job on lines of a file, as flags give them. */
export interface ConfigFlags {
  epochs?: string
  learningRate?: string
  schedule?: string
  warmup?: string
  batchSize?: string
  packing?: string
  /** False with --no-shuffle. */
  shuffle?: boolean
  heldOut?: string
  earlyStop?: string
  rank?: string
  targetModules?: string
  assistantTurns?: string
  beta?: string
  labelSmoothing?: string
  reference?: string
}

type Body = z.input<NonNullable<(typeof training.trainingJobs.createSft)['body']>>
export type FineTuningConfig = NonNullable<Body['config']>

/** The flag of each setting. */
const flagOf: Readonly<Record<string, string>> = {
  epochs: '--epochs',
  learning_rate: '--learning-rate',
  schedule: '--schedule',
  warmup: '--warmup',
  batch_size: '--batch-size',
  packed_sequence_length: '--packing',
  held_out: '--held-out',
  early_stop: '--early-stop',
  rank: '--rank',
  target_modules: '--target-modules',
  assistant_turns: '--assistant-turns',
  beta: '--beta',
  label_smoothing: '--label-smoothing',
  reference: '--reference',
}

/** @throws UsageError that names the flag whose value the job would refuse */
export function toFineTuningConfig(kind: 'conversations' | 'preferences', flags: ConfigFlags): FineTuningConfig {
  const { epochs, schedule, warmup, rank, beta, reference } = flags
  const given = withoutUndefined({
    epochs: numberOf(epochs),
    learning_rate: numberOf(flags.learningRate),
    schedule,
    warmup: numberOf(warmup),
    batch_size: numberOf(flags.batchSize),
    packed_sequence_length: numberOf(flags.packing),
    shuffle: flags.shuffle !== false,
    held_out: numberOf(flags.heldOut),
    early_stop: numberOf(flags.earlyStop),
    rank: numberOf(rank),
    target_modules: flags.targetModules?.split(',').map((name) => name.trim()),
    assistant_turns: flags.assistantTurns,
    ...(kind === 'preferences' && {
      dpo: withoutUndefined({ beta: numberOf(beta), label_smoothing: numberOf(flags.labelSmoothing), reference }),
    }),
  }) as FineTuningConfig
  const parsed = training.trainingJobs.createSft.body.shape.config.safeParse(given)
  if (parsed.success) return given
  const { path, message } = parsed.error.issues[0]!
  const name = String(path.at(-1) ?? '')
  const value = name in given ? given[name] : (given.dpo as Record<string, unknown> | undefined)?.[name]
  throw new UsageError(`${flagOf[name] ?? name} ${JSON.stringify(value)} cannot be used: ${message}`)
}

/** A number, or the text itself, which the contract refuses. */
function numberOf(text: string | undefined): number | string | undefined {
  if (text === undefined) return undefined
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function withoutUndefined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
