import { z } from 'zod'
import { listOf } from '../shapes/bounded.ts'
import { checked, Refusal } from '../shapes/checked.ts'
import { isJsonNumber } from '../shapes/json-number.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { isJsonObject } from '../shapes/json-object.ts'
import { LenientInt } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { Timestamp } from '../shapes/timestamp.ts'
import { FiniteNumber } from './finite-number.ts'
import { MessageOrChoice } from './message-or-choice.ts'

/** Limits of one request. */
export const trajectoryLimits = {
  trajectories: 100_000,
  tokensOfTrajectory: 1_000_000,
  historiesOfTrajectory: 64,
} as const

/** Messages of a history or a list of any other kind; the body of a request bounds them. */
const maxElements = 1_000_000

function scalars(name: string, isScalar: (value: unknown) => boolean, type: string) {
  return checked<Record<string, unknown>>(
    (value) => {
      if (!isJsonObject(value)) return new Refusal('dict_type', 'Input should be a valid dictionary')
      const bad = Object.keys(value).find((key) => !isScalar(value[key]))
      if (bad !== undefined) return new Refusal(type, `${name} should be scalars`, [bad])
      const infinite = Object.keys(value).find((key) => isNumber(value[key]) && !Number.isFinite(Number(value[key])))
      return infinite === undefined ? value : new Refusal('finite_number', 'Input should be a finite number', [infinite])
    },
    { type: 'object' },
  )
}

const isNumber = (value: unknown) => typeof value === 'number' || isJsonNumber(value)
const isFlagOrNumber = (value: unknown) => typeof value === 'boolean' || isNumber(value)
const isScalar = (value: unknown) => value === null || typeof value === 'string' || isFlagOrNumber(value)

/** Finite numbers and booleans by name. */
export const Metrics = scalars('Values of metrics', isFlagOrNumber, 'float_type')
/** Scalars by name; numbers are finite. */
export const Metadata = scalars('Values of metadata', isScalar, 'value_error')

const Tools = orNull(listOf(JsonObjectShape, 10_000))

const History = z.looseObject({
  messages_and_choices: listOf(MessageOrChoice, maxElements).describe('As in a trajectory'),
  tools: Tools.describe('Tools that the model could call'),
})

/** One rollout of a policy, with its reward. Every field has a default. */
export const Trajectory = z
  .looseObject({
    messages_and_choices: orDefault(listOf(MessageOrChoice, maxElements), []).describe(
      'In order. A choice, as a chat completion returned it, is what the policy sampled; a message is context',
    ),
    tools: Tools.describe('Tools that the policy could call, as in chat completions'),
    additional_histories: orDefault(listOf(History, trajectoryLimits.historiesOfTrajectory), []).describe(
      'Further conversations of the same rollout; at most 64',
    ),
    reward: FiniteNumber.optional()
      .meta({ default: 0 })
      .transform((reward) => reward ?? 0)
      .describe('Finite; 0 when it is absent. Compared with the others of its group'),
    initial_policy_version: orNull(LenientInt).describe('Newest step when the rollout began'),
    final_policy_version: orNull(LenientInt).describe('Newest step when it ended'),
    metrics: orDefault(Metrics, {}).describe('Numbers and booleans by name'),
    metadata: orDefault(Metadata, {}).describe('Scalars by name'),
    logs: orDefault(listOf(z.string(), maxElements), []),
    start_time: orNull(Timestamp).describe('When the rollout began'),
  })
  .meta({ id: 'Trajectory' })
export type Trajectory = z.output<typeof Trajectory>

const GroupException = z.looseObject({ type: orNull(z.string()), message: orNull(z.string()), traceback: orNull(z.string()) })

/** Fields of a group besides its trajectories. */
export const TrajectoryGroupFields = z.looseObject({
  exceptions: orDefault(listOf(GroupException, trajectoryLimits.trajectories), []).describe('Attempts that failed'),
  metrics: orDefault(Metrics, {}).describe('Numbers and booleans by name'),
  metadata: orDefault(Metadata, {}).describe('Scalars by name'),
  logs: orDefault(listOf(z.string(), maxElements), []),
})

/** Attempts at the same task. Rewards are compared within a group. */
export const TrajectoryGroup = TrajectoryGroupFields.extend({
  trajectories: listOf(Trajectory, trajectoryLimits.trajectories).describe('Attempts; at most 100,000 in all groups together'),
}).meta({ id: 'TrajectoryGroup' })
export type TrajectoryGroup = z.output<typeof TrajectoryGroup>

/** The groups of a request. */
export const TrajectoryGroups = listOf(TrajectoryGroup, trajectoryLimits.trajectories)
