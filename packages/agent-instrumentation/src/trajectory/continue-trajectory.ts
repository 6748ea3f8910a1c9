import { v7 as newUuid } from 'uuid'
import type { CaptureSettings } from '../capture/capture-settings.ts'
import type { ActiveTrajectory } from '../capture/active-trajectory.ts'
import { continueTrajectorySpan } from '../spans/trajectory-span.ts'
import { readCarrier } from './carrier.ts'
import { recordModelCalls } from './model-calls.ts'
import { createNotes } from './notes.ts'
import { createScope } from './scope.ts'
import type { TrajectoryCarrier } from '../context/trajectory.ts'
import type { PartCall, TrajectoryPart } from './trajectory-part.ts'

/** An attempt that continues beyond the reach of its context, for example in a worker. It is recorded here, and joined there. */
export interface ContinuedTrajectory extends ActiveTrajectory {
  /**
   * Ends this part once the model calls under way are recorded, or after 5 seconds, and returns the recording as text, for `join` of the
   * trajectory. Calling it again returns the same.
   */
  finish(): Promise<string>
}

/** @throws TypeError for a carrier that is not whole */
export function continueTrajectory(carrier: Readonly<TrajectoryCarrier>, settings: CaptureSettings): ContinuedTrajectory {
  const { traceparent, ...place } = readCarrier(carrier)
  const span = continueTrajectorySpan(traceparent, place)
  const notes = createNotes(place.id)
  const recorded: PartCall[] = []
  const calls = recordModelCalls({ span, settings, onCounted: notes.count, onCall: (call) => recorded.push(call) })
  const partId = newUuid()
  let finished: Promise<string> | undefined

  async function end(): Promise<string> {
    notes.close()
    await calls.close()
    const part: TrajectoryPart = { format: 1, id: partId, trajectoryId: place.id, calls: recorded, notes: notes.data }
    return JSON.stringify(part)
  }

  const { reward, metric, metadata, log } = notes
  const scope = createScope({
    trajectory: () => continued,
    recorder: calls.recorder,
    recorderNow: () => (finished ? undefined : calls.recorder),
    span,
    settings,
  })
  const continued: ContinuedTrajectory = {
    ...place,
    ...scope,
    reward,
    metric,
    metadata,
    log,
    toCarrier: () => ({ ...carrier }),
    finish: () => (finished ??= end()),
  }
  return continued
}
