import type { Checkpoint, LoggedTrajectoryGroup, TrainingEvent, TrainingJob } from '@heddle/core-api/types'
import { parseTimestamp } from '@heddle/core-api'
import { gradientSteps, metricsOf } from './job-events.ts'

/** A finding about a job that the user should know, with its evidence. */
export interface Finding {
  finding:
    | 'reward flat'
    | 'no learning signal'
    | 'leaving the reference'
    | 'clipping much'
    | 'gradient exploding'
    | 'entropy gone'
    | 'length drifting'
    | 'trajectories dropped'
    | 'silent'
    | 'nothing trained'
    | 'stale trajectories'
    | 'failed'
  evidence: string
  /** What to do about it. */
  advice: string
}

export interface JobRecords {
  job: TrainingJob
  events: readonly TrainingEvent[]
  /** Checkpoints of its model, by step. */
  checkpoints: readonly Checkpoint[]
  /** Newest groups that were logged for its model. */
  groups: readonly LoggedTrajectoryGroup[]
  /** Milliseconds since 1970. */
  nowMs: number
}

const silentMs = 600_000
const flatSteps = 5
const smallSpread = 0.01
const highKl = 0.2
const highClip = 0.3
const highGradient = 100
const lowEntropy = 0.05
const longDrift = 2
const staleSteps = 4
const highDroppedShare = 0.1

/** Looks at a job for what usually stops one from learning. */
export function findProblems(records: JobRecords): Finding[] {
  const rules = [
    failed,
    nothingTrained,
    silent,
    noSignal,
    rewardFlat,
    leavingReference,
    clipping,
    exploding,
    entropyGone,
    drifting,
    dropping,
    stale,
  ]
  return rules.flatMap((rule) => rule(records) ?? [])
}

type Rule = (records: JobRecords) => Finding | undefined

const text = (value: number) => String(Number(value.toPrecision(3)))

const failed: Rule = ({ job }) =>
  job.status === 'failed'
    ? {
        finding: 'failed',
        evidence: job.error_message ?? 'without a message',
        advice: 'Fix what the message names, and create the job again.',
      }
    : undefined

const nothingTrained: Rule = ({ job }) =>
  job.message === null
    ? undefined
    : {
        finding: 'nothing trained',
        evidence: job.message,
        advice: 'The checkpoint equals the one before. Give trajectories that differ in reward and have log-probabilities.',
      }

const silent: Rule = ({ job, events, nowMs }) => {
  if (job.status !== 'running') return undefined
  const last = parseTimestamp(events.at(-1)?.created_at ?? job.training_start ?? job.created_at) ?? 0
  const ageMs = nowMs - last / 1_000
  return ageMs < silentMs
    ? undefined
    : {
        finding: 'silent',
        evidence: `the last event is ${Math.round(ageMs / 60_000)} minutes old`,
        advice: 'Look at the log of the server; the job is taken up again when its worker has ended.',
      }
}

/** A metric of checkpoints by step; splits write it under their name. */
function seriesOf(checkpoints: readonly Checkpoint[], name: string): { step: number; value: number }[] {
  return checkpoints.flatMap(({ step, metrics }) => {
    const value = metrics[`train/${name}`] ?? metrics[name]
    return value === undefined ? [] : [{ step, value }]
  })
}

/** A sum over trajectories, divided by their number if the checkpoint has it. */
function perTrajectory(checkpoints: readonly Checkpoint[], name: string): { step: number; value: number }[] {
  const counts = new Map(seriesOf(checkpoints, 'num_trajectories').map(({ step, value }) => [step, value]))
  return seriesOf(checkpoints, name).map(({ step, value }) => ({ step, value: value / (counts.get(step) || 1) }))
}

const noSignal: Rule = ({ events, checkpoints }) => {
  const trainable = lastMetric(events, ['num_groups_trainable', 'data/step_num_groups_trainable'])
  if (trainable === 0)
    return {
      finding: 'no learning signal',
      evidence: 'no group has different rewards (num_groups_trainable 0)',
      advice: 'Take harder or easier tasks, or more attempts at each, so that attempts at one task differ.',
    }
  const last = seriesOf(checkpoints, 'reward_std_dev').at(-1)
  if (!last || last.value >= smallSpread) return undefined
  return {
    finding: 'no learning signal',
    evidence: `rewards inside of groups hardly differ: reward_std_dev ${text(last.value)} at step ${last.step}`,
    advice: 'The tasks are too easy or too hard for the policy, or the reward does not tell attempts apart.',
  }
}

const rewardFlat: Rule = ({ checkpoints }) => {
  const series = seriesOf(checkpoints, 'reward').slice(-flatSteps)
  if (series.length < flatSteps) return undefined
  const values = series.map(({ value }) => value)
  const range = Math.max(...values) - Math.min(...values)
  const first = series[0]
  if (range > 0.01 * Math.max(1, ...values.map(Math.abs)) || !first) return undefined
  return {
    finding: 'reward flat',
    evidence: `reward stays between ${text(Math.min(...values))} and ${text(Math.max(...values))} from step ${first.step} on`,
    advice: 'Look at the spread of rewards, the learning rate and the tasks.',
  }
}

const leavingReference: Rule = ({ events }) => {
  const kl = lastMetric(events, ['kl_policy_ref', 'loss/kl_policy_ref', 'kl_div', 'loss/kl_div'])
  return kl === undefined || kl <= highKl
    ? undefined
    : {
        finding: 'leaving the reference',
        evidence: `KL to the reference policy is ${text(kl)}`,
        advice: 'Raise kl_penalty_coef or lower learning_rate.',
      }
}

const clipping: Rule = ({ events }) => {
  const share = lastMetric(events, ['loss/clipped_token_fraction'])
  return share === undefined || share <= highClip
    ? undefined
    : {
        finding: 'clipping much',
        evidence: `${text(share * 100)} % of tokens are clipped`,
        advice: 'The trajectories are of older weights, or the learning rate is too high.',
      }
}

const exploding: Rule = ({ events }) => {
  const norm = lastMetric(events, ['grad_norm', 'loss/grad_norm'])
  return norm === undefined || norm <= highGradient
    ? undefined
    : { finding: 'gradient exploding', evidence: `grad_norm is ${text(norm)}`, advice: 'Lower learning_rate.' }
}

const entropyGone: Rule = ({ events }) => {
  const entropy = lastMetric(events, ['entropy', 'loss/entropy'])
  return entropy === undefined || entropy >= lowEntropy
    ? undefined
    : {
        finding: 'entropy gone',
        evidence: `entropy is ${text(entropy)}: the policy always does the same`,
        advice: 'Go back to an earlier checkpoint, and lower learning_rate.',
      }
}

const drifting: Rule = ({ checkpoints }) => {
  const lengths = {
    completion_tokens: seriesOf(checkpoints, 'completion_tokens'),
    'num_trainable_tokens per trajectory': perTrajectory(checkpoints, 'num_trainable_tokens'),
    output_tokens: seriesOf(checkpoints, 'output_tokens'),
  }
  for (const [name, series] of Object.entries(lengths)) {
    const [first, last] = [series[0], series.at(-1)]
    if (!first || !last || series.length < flatSteps || first.value <= 0) continue
    const ratio = last.value / first.value
    if (ratio > longDrift || ratio < 1 / longDrift) {
      return {
        finding: 'length drifting',
        evidence: `${name} went from ${text(first.value)} at step ${first.step} to ${text(last.value)} at step ${last.step}`,
        advice: 'Read some trajectories: the reward may pay for length.',
      }
    }
  }
  return undefined
}

const dropping: Rule = ({ job, checkpoints }) => {
  if (job.kind !== 'rl') return undefined
  const dropped = seriesOf(checkpoints, 'num_dropped_trajectories').at(-1)
  const all = seriesOf(checkpoints, 'num_trajectories').find(({ step }) => step === dropped?.step)
  if (!dropped || !all || dropped.value <= highDroppedShare * all.value) return undefined
  return {
    finding: 'trajectories dropped',
    evidence: `${text(dropped.value)} of ${text(all.value)} trajectories of step ${dropped.step} have no log-probabilities`,
    advice: 'Record choices as chat completions with logprobs returned them, or set allow_training_without_logprobs.',
  }
}

const stale: Rule = ({ groups }) => {
  const lags = groups.flatMap(({ step, trajectories }) =>
    trajectories.flatMap(({ initial_policy_version }) => (initial_policy_version === null ? [] : [step - initial_policy_version])),
  )
  if (lags.length === 0) return undefined
  const mean = lags.reduce((sum, lag) => sum + lag, 0) / lags.length
  return mean <= staleSteps
    ? undefined
    : {
        finding: 'stale trajectories',
        evidence: `trajectories begin ${text(mean)} steps behind the newest weights`,
        advice: 'Collect with newer weights, or drop old groups.',
      }
}

/** The newest value of the first of these names that there is. */
function lastMetric(events: readonly TrainingEvent[], names: readonly string[]): number | undefined {
  for (const event of gradientSteps(events).toReversed()) {
    const metrics = metricsOf(event)
    const name = names.find((one) => metrics[one] !== undefined)
    if (name !== undefined) return metrics[name]
  }
  return undefined
}
