import type { JsonObject } from '@heddle/core-api'
import type { Choice, Message } from '@heddle/core-api/histories'

/** A trajectory as the training service takes it. */
export type RecordedTrajectory = {
  messages_and_choices: (Message | Choice)[]
  tools: JsonObject[] | null
  additional_histories: { messages_and_choices: (Message | Choice)[]; tools: JsonObject[] | null }[]
  reward: number
  initial_policy_version: number | null
  final_policy_version: number | null
  metrics: Record<string, number | boolean>
  metadata: Record<string, string | number | boolean | null>
  logs: string[]
  start_time: string
}

/** Attempts at one task, as the training service takes them. */
export type RecordedGroup = {
  trajectories: RecordedTrajectory[]
  exceptions: { type: string; message: string; traceback: string | null }[]
  metadata: Record<string, string | number | boolean | null>
  metrics: Record<string, number | boolean>
  logs: string[]
}
