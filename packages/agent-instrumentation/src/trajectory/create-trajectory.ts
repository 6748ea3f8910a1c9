import { v7 as newUuid } from 'uuid'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import { type History, maxHistories, policyVersions } from '@heddle/core-api/histories'
import { TrajectoryMisuse } from '../misuse-error.ts'
import { startTrajectorySpan } from '../spans/trajectory-span.ts'
import { toCarrier } from './carrier.ts'
import { type ModelCalls, recordModelCalls } from './model-calls.ts'
import { createNotes, type NotesData } from './notes.ts'
import type { RecordedTrajectory } from './recorded.ts'
import { createScope } from './scope.ts'
import type { Trajectory } from '../context/trajectory.ts'
import { readPart } from './trajectory-part.ts'

export interface TrajectoryPlace {
  groupId: string
  rolloutId: string
  attemptIndex: number
  /** Whether it may finish only with a reward. */
  needsReward: boolean
}

/** A trajectory as its group sees it. */
export interface OpenTrajectory extends Trajectory {
  /** Ends the attempt as failed: it has no reward, and the error as its reason. */
  fail(error: unknown): Promise<void>
  /** The trajectory so far. Its reward is 0 if none was given. */
  recorded(): RecordedTrajectory
  readonly error: unknown
}

export function createTrajectory({ needsReward, ...place }: TrajectoryPlace, settings: CaptureSettings): OpenTrajectory {
  const id = newUuid()
  const span = startTrajectorySpan({ id, ...place })
  const startTime = new Date().toISOString()
  const notes = createNotes(id)
  const calls = recordModelCalls({ span, settings, onCounted: notes.count })
  const joined = new Set<string>()
  let finished: Promise<void> | undefined
  let error: unknown

  async function end(): Promise<void> {
    notes.close()
    await calls.close()
    const { reward } = notes.data
    span.end({ reward: reward?.value, options: reward?.options ?? {}, error })
  }

  async function finish() {
    if (needsReward && !notes.data.reward && error === undefined && !finished)
      throw new TrajectoryMisuse(id, 'it has no reward; call reward(value) before it finishes, or throw when the attempt failed')
    finished ??= end()
    await finished
  }

  async function fail(reason: unknown) {
    if (!finished) {
      error = reason
      notes.log(`failed: ${String(reason)}`)
      notes.metadata('error', String(reason))
      finished = end()
    }
    await finished
  }

  function join(text: string) {
    const part = readPart(id, text)
    if (finished || joined.has(part.id)) return
    joined.add(part.id)
    notes.join(part.notes)
    for (const call of part.calls) calls.join(call)
  }

  const { reward, metric, metadata, log } = notes
  const identity = { trajectory_id: id, group_id: place.groupId, rollout_id: place.rolloutId, ...span.ids }
  const scope = createScope({
    trajectory: () => trajectory,
    recorder: calls.recorder,
    recorderNow: () => (finished ? undefined : calls.recorder),
    span,
    settings,
  })
  const trajectory: OpenTrajectory = {
    id,
    ...place,
    ...scope,
    reward,
    metric,
    metadata,
    log,
    join,
    finish,
    fail,
    get error() {
      return error
    },
    toCarrier: () => toCarrier({ id, ...place, traceparent: span.traceparent }),
    recorded: () => toRecorded({ id, identity, startTime, notes: notes.data, calls }),
    [Symbol.asyncDispose]: async () => {
      if (notes.data.reward || !needsReward) await finish()
      else await fail(new Error('the attempt ended without a reward'))
    },
  }
  return trajectory
}

interface TrajectoryContent {
  id: string
  /** Ids for the metadata. */
  identity: RecordedTrajectory['metadata']
  startTime: string
  notes: Readonly<NotesData>
  calls: Pick<ModelCalls, 'histories' | 'versions'>
}

function toRecorded({ id, identity, startTime, notes, calls }: TrajectoryContent): RecordedTrajectory {
  const [main, ...additional] = checkedHistories(id, calls.histories())
  const { reward, metrics, counts, metadata, logs } = notes
  return {
    messages_and_choices: main?.messages_and_choices ?? [],
    tools: main?.tools ?? null,
    additional_histories: additional,
    reward: reward?.value ?? 0,
    ...policyVersions(calls.versions),
    metrics: { ...metrics, ...counts },
    metadata: { ...identity, ...metadata, ...(reward?.options.source !== undefined && { reward_source: reward.options.source }) },
    logs: [...logs],
    start_time: startTime,
  }
}

function checkedHistories(trajectoryId: string, histories: History[]): History[] {
  if (histories.length - 1 <= maxHistories) return histories
  throw new TrajectoryMisuse(
    trajectoryId,
    `it has ${histories.length - 1} additional histories, and the training service takes ${maxHistories}`,
  )
}
