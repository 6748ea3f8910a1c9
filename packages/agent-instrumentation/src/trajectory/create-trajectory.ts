import { v7 as newUuid } from 'uuid'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { createRecordingFetch } from '../capture/recording-fetch.ts'
import { withTrajectory } from '../context/active-trajectory.ts'
import { maxHistories } from '../histories/chat.ts'
import { TrajectoryMisuse } from '../misuse-error.ts'
import { startTrajectorySpan } from '../spans/trajectory-span.ts'
import { recordModelCalls } from './model-calls.ts'
import type { RecordedTrajectory } from './recorded.ts'
import type { RewardOptions, Trajectory } from './trajectory.ts'

/** How long `finish` waits for model calls under way. */
const finishTimeoutMs = 5_000

export interface TrajectoryPlace {
  groupId: string
  rolloutId: string
  attemptIndex: number
  /** Whether it may finish only with a reward. */
  needsReward: boolean
}

/** A trajectory with what its group sees of it. */
export interface OpenTrajectory extends Trajectory {
  /** Ends the attempt as failed: it has no reward, and says why. */
  fail(error: unknown): Promise<void>
  /** As it stands. Its reward is 0 where none was given. */
  recorded(): RecordedTrajectory
  readonly error: unknown
}

export function createTrajectory({ needsReward, ...place }: TrajectoryPlace, settings: CaptureSettings): OpenTrajectory {
  const id = newUuid()
  const span = startTrajectorySpan({ id, ...place })
  const startTime = new Date().toISOString()
  const metrics: Record<string, number | boolean> = {}
  const metadata: RecordedTrajectory['metadata'] = { trajectory_id: id, group_id: place.groupId, rollout_id: place.rolloutId, ...span.ids }
  const logs: string[] = []
  let reward: { value: number; options: RewardOptions } | undefined
  let finished: Promise<void> | undefined
  let error: unknown
  const calls = recordModelCalls({
    span,
    settings,
    onCounted(name, words) {
      metrics[name] = Number(metrics[name] ?? 0) + 1
      if (words !== undefined) logs.push(words)
    },
  })
  const recorderNow = () => (finished ? undefined : calls.recorder)

  async function end(): Promise<void> {
    await calls.close(finishTimeoutMs)
    span.end({ reward: reward?.value, options: reward?.options ?? {}, error })
  }

  const trajectory: OpenTrajectory = {
    id,
    ...place,
    get error() {
      return error
    },
    reward(value, options = {}) {
      assertFinite(id, 'the reward', value)
      if (!finished) reward = { value, options }
    },
    metric(name, value) {
      if (typeof value === 'number') assertFinite(id, `metric "${name}"`, value)
      if (!finished) metrics[name] = value
    },
    metadata(name, value) {
      if (!finished) metadata[name] = value
    },
    log(text) {
      if (!finished) logs.push(text)
    },
    fetch: createRecordingFetch(settings.fetch, recorderNow),
    openai: (client) => client.withOptions({ fetch: createRecordingFetch(settings.fetchOf(client), recorderNow) }),
    run: (work) => withTrajectory({ trajectory, recorder: calls.recorder }, () => span.run(work)),
    bind:
      (work) =>
      (...values) =>
        trajectory.run(() => work(...values)),
    async finish() {
      if (needsReward && !reward && error === undefined && !finished)
        throw new TrajectoryMisuse(id, 'it has no reward; call reward(value) before it finishes, or throw when the attempt failed')
      finished ??= end()
      await finished
    },
    async fail(reason) {
      if (!finished) {
        error = reason
        logs.push(`failed: ${String(reason)}`)
        metadata['error'] = String(reason)
        finished = end()
      }
      await finished
    },
    recorded() {
      const [main, ...additional] = calls.histories()
      if (additional.length > maxHistories)
        throw new TrajectoryMisuse(id, `it has ${additional.length} additional histories, and the training service takes ${maxHistories}`)
      return {
        messages_and_choices: main?.messages_and_choices ?? [],
        tools: main?.tools ?? null,
        additional_histories: additional,
        reward: reward?.value ?? 0,
        initial_policy_version: calls.versions[0] ?? null,
        final_policy_version: calls.versions.at(-1) ?? null,
        metrics: { ...metrics },
        metadata: { ...metadata, ...(reward?.options.source !== undefined && { reward_source: reward.options.source }) },
        logs: [...logs],
        start_time: startTime,
      }
    },
    [Symbol.asyncDispose]: async () => {
      if (reward || !needsReward) await trajectory.finish()
      else await trajectory.fail(new Error('the attempt ended without a reward'))
    },
  }
  return trajectory
}

function assertFinite(trajectoryId: string, name: string, value: number) {
  if (!Number.isFinite(value)) throw new TrajectoryMisuse(trajectoryId, `${name} must be a finite number, got ${String(value)}`)
}
