import { isChoice, type MessageOrChoice, type Trajectory } from '../../sequences/trajectory.ts'

/** A trajectory group as it is kept: without log-probabilities and token ids, which are most of its bytes. */
export interface StoredGroup {
  trajectories: StoredTrajectory[]
  exceptions: unknown[]
  metrics: Record<string, unknown>
  metadata: Record<string, unknown>
  logs: string[]
}

export interface StoredTrajectory {
  messages: Record<string, unknown>[]
  tools: unknown[] | null
  reward: number
  initial_policy_version: number | null
  final_policy_version: number | null
  metrics: Record<string, unknown>
  metadata: Record<string, unknown>
  logs: string[]
  start_time: string | null
}

/** A trajectory as it was sent, with what training does not look at. */
export type SentTrajectory = Trajectory & {
  final_policy_version?: number | null
  metrics?: Record<string, unknown> | null
  metadata?: Record<string, unknown> | null
  logs?: string[] | null
  start_time?: unknown
}

/** The conversations of a trajectory: its own, and the additional ones. */
export const historiesOf = (trajectory: Trajectory): readonly Pick<Trajectory, 'messages_and_choices'>[] => [
  trajectory,
  ...(trajectory.additional_histories ?? []),
]

/** `more` describes the rest of a message. */
export function toStoredTrajectory(
  trajectory: SentTrajectory,
  histories: readonly Pick<Trajectory, 'messages_and_choices'>[],
  more: (element: MessageOrChoice) => Record<string, unknown> = () => ({}),
): StoredTrajectory {
  return {
    messages: histories.flatMap((history, index) =>
      (history.messages_and_choices ?? []).map((element) => ({
        ...toMessage(element),
        ...more(element),
        trainable: isChoice(element),
        history: index,
      })),
    ),
    tools: trajectory.tools ? [...trajectory.tools] : null,
    reward: trajectory.reward ?? 0,
    initial_policy_version: trajectory.initial_policy_version ?? null,
    final_policy_version: trajectory.final_policy_version ?? null,
    metrics: trajectory.metrics ?? {},
    metadata: trajectory.metadata ?? {},
    logs: trajectory.logs ?? [],
    start_time: trajectory.start_time === undefined || trajectory.start_time === null ? null : String(trajectory.start_time),
  }
}

function toMessage(element: MessageOrChoice): Record<string, unknown> {
  if (!isChoice(element)) return { ...element }
  const { content, tool_calls } = element.message
  return { role: 'assistant', content: content ?? '', ...(tool_calls && tool_calls.length > 0 && { tool_calls }) }
}

/** Names in the metadata by which a group is found. */
export function namesOf({ trajectories, metadata }: StoredGroup): { kind: 'trajectory_id' | 'trace_id'; name: string }[] {
  const all = [metadata, ...trajectories.map((trajectory) => trajectory.metadata)]
  const kinds = ['trajectory_id', 'trace_id'] as const
  return all.flatMap((values) =>
    kinds.flatMap((kind) => {
      const name = values[kind]
      return typeof name === 'string' && name !== '' && name.length <= 255 && !name.includes('\0') ? [{ kind, name }] : []
    }),
  )
}
