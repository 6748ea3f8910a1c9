import type { BlobDigest, Micros, WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ConversationDigest } from './conversation-digests.ts'

type Work = Pick<WorkScope, 'signal'>

/** How an attempt ended. */
export interface Outcome {
  /** Null where it failed without one. */
  reward: number | null
  metrics: Record<string, unknown>
  metadata: Record<string, unknown>
  logs: string[]
  error: string | null
}

export interface RecordedTrajectoryRow {
  number: number
  model_id: string
  id: string
  group_id: string
  rollout_id: string | null
  trace_id: string | null
  status: 'open' | 'finished' | 'failed'
  calls: number
  /** Null while it is open. */
  outcome: Outcome | null
  created_at: Micros
  finished_at: Micros | null
}

/** Where a call is recorded. */
export interface CallPlace {
  modelId: string
  trajectoryId: string
  groupId: string
  rolloutId: string | null
  traceId: string | null
}

/** A conversation as far as a call has brought it. */
export interface ReachedConversation extends ConversationDigest {
  /** Whether a single request may continue it: that which repeats an abandoned one. */
  isOnce: boolean
}

/** Which conversations a request may continue. */
export interface ConversationPlace {
  modelId: string
  /** Id of the API key that recorded them. */
  keyId: string
  /** Calls from which on a trajectory is full. */
  fullAt: number
}

export interface NewCall {
  place: CallPlace
  /** Those by which later requests with the same API key find the trajectory. Null: its id was given. */
  conversations: { keyId: string; reached: readonly ReachedConversation[] } | null
  key: string | null
  /** A call of the trajectory that was recorded before. */
  baseSeq: number | null
  digest: string
  content: { digest: BlobDigest; sizeBytes: number }
  startedAt: Micros
  at: Micros
}

export interface RecordedCallRow {
  seq: number
  is_replaced: boolean
  base_seq: number | null
  sha256: BlobDigest
  started_at: Micros
}

export interface RecordedFilter {
  group_id: string | null
  rollout_id: string | null
}

/** The size of a group so far. */
export interface GroupSize {
  trajectories: number
  bytes: number
}

export interface RecordedTrajectoriesStore {
  find(work: Work, modelId: string, id: string): Promise<RecordedTrajectoryRow | undefined>
  /** Ordered by their beginning. @throws ApiError 404 if there is no trajectory `after` */
  list(
    work: Work,
    modelId: string,
    filter: RecordedFilter & { status: string | null; trace_id: string | null; after: string | null; limit: number },
  ): Promise<RecordedTrajectoryRow[]>
  groupSize(work: Work, modelId: string, groupId: string): Promise<GroupSize>
  /** A call with the last of these digests that any call of the trajectory has. */
  findBase(
    work: Work,
    place: Pick<CallPlace, 'modelId' | 'trajectoryId'>,
    digests: readonly string[],
  ): Promise<{ seq: number; digest: string } | undefined>
  /**
   * The open trajectory whose conversation has the last of these digests that any has: one that no request has continued before another, and the
   * newest of several. It counts as continued from then on. Undefined if there is none.
   */
  continueConversation(project: ProjectScope, place: ConversationPlace, digests: readonly string[]): Promise<string | undefined>
  /**
   * Adds a call, and begins its trajectory if there is none. A call with the same key is replaced. Undefined once it is added; a trajectory that has finished, or is of
   * another group or rollout, is returned as it is, and nothing is added.
   * @throws ApiError 404 if the model was deleted
   */
  addCall(project: ProjectScope, call: NewCall): Promise<RecordedTrajectoryRow | undefined>
  /** In the order of recording, including replaced calls. */
  listCalls(work: Work, modelId: string, id: string): Promise<RecordedCallRow[]>
  /** The resulting trajectory; an existing outcome is kept. Undefined if there is none. */
  finish(project: ProjectScope, modelId: string, id: string, outcome: Outcome, at: Micros): Promise<RecordedTrajectoryRow | undefined>
  /** Groups in the order in which they began. `after` is the number of the first trajectory of the group before. */
  listGroups(
    work: Work,
    modelId: string,
    filter: RecordedFilter & { after: number; limit: number },
  ): Promise<{ group_id: string; first: number }[]>
  /** Trajectories of a group that have ended, in the order in which they began. */
  listEnded(work: Work, modelId: string, groupId: string, rolloutId: string | null): Promise<RecordedTrajectoryRow[]>
  /** False if there is none. */
  delete(project: ProjectScope, modelId: string, id: string): Promise<boolean>
  /** Deletes some of the trajectories that were not written since. Returns how many; 0 once there are none. */
  sweep(before: Micros): Promise<number>
}
