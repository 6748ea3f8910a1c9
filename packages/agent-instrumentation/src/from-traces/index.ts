export { GroupsRefused } from '../sending/describe-issues.ts'
export { createTrainingJob } from '../sending/send-groups.ts'
export {
  type CollectedGroups,
  collectGroups,
  type CollectOptions,
  excludeUseless,
  type Exclusion,
  isTrainable,
  type TracedGroup,
  trainableGroups,
} from './collect-groups.ts'
export { collectGivenGroups, type CollectGivenOptions, type GivenGroup } from './collect-given-groups.ts'
export { gatherGroups, type GatherOptions, type GatherProgress } from './gather-groups.ts'
export { type GroupBy, parseGroupBy } from './attempts/group-key.ts'
export { createRuler, type Judge, JudgeFailed, type RulerOptions } from '../judging/ruler.ts'
export { judgeGroups, type JudgeOptions } from './judge-groups.ts'
export { planTraining, type Spread, spreadOf, type TrainingPlan } from './plan-training.ts'
export { policyOf } from './attempts/policy-of.ts'
export type { TraceSource, TracingClient } from './attempts/read-traces.ts'
export { parseRewardSource, type RewardSource } from './rewards/reward-source.ts'
export { ScorerUnavailable } from './rewards/scorer-unavailable.ts'
export { runScorer, type ScoredAttempts, type ScorerRun } from './rewards/run-scorer.ts'
export type { TraceFilter } from './attempts/trace-filter.ts'
