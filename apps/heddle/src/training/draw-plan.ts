import type { TrainingPlan } from '@heddle/agent-instrumentation/from-traces'
import { toTerminalText } from '../terminal/terminal-text.ts'
import { countText } from '../eval/present/run-text.ts'
import { numberText } from './number-text.ts'

/** What a job would learn from, wherever it is from. */
export type Plan = Omit<TrainingPlan, 'traces'> & Partial<Pick<TrainingPlan, 'traces'>>

/** The report on what a job would learn from, a line for each fact; the first says where it comes from. */
export function drawPlan(plan: Plan, source: string): string {
  const { rewards, logprobs, refused } = plan
  return [
    source,
    `Groups         ${plan.groups} to train on${sizesText(plan.group_sizes)}`,
    `Trajectories   ${plan.trajectories}`,
    `Tokens         ${plan.tokens === 0 ? 'not counted' : plan.tokens}`,
    ...(rewards
      ? [
          `Reward         mean ${numberText(rewards.mean)}, from ${numberText(rewards.min)} to ${numberText(rewards.max)}, deviation ${numberText(rewards.std_dev)}`,
        ]
      : []),
    `Logprobs       ${logprobs.complete} complete, ${logprobs.partial} partial, ${logprobs.none} none`,
    `Steps          ${plan.estimated_steps === null ? 'unknown' : `about ${plan.estimated_steps}`}`,
    ...refused.map(({ reason, attempts }) => `Left out       ${countText(attempts, 'attempt')}: ${reason}`),
    ...plan.warnings.map((warning) => `Warning        ${toTerminalText(warning)}`),
  ].join('\n')
}

function sizesText(sizes: Readonly<Record<string, number>>): string {
  const parts = Object.entries(sizes).map(([size, groups]) => `${groups} of ${size}`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')} attempts)`
}
