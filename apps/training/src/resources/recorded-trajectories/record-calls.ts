import type { Message } from '@heddle/core-api/histories'
import { badRequest } from '@heddle/core-api/internal'
import type { Blobs, Micros } from '@heddle/datastore'
import type { Context, ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { ResolvedModel } from '../served-models/resolve-model.ts'
import { conversationDigests } from './conversation-digests.ts'
import { type Conversation, reachedConversations } from './key-conversations.ts'
import { type CallContent, prefixDigests, type RecordedChoice, withoutAbsent } from './recorded-call.ts'
import { takesNoCalls } from './recorded-place.ts'
import { createFindPlace, type FindPlace, type RequestedPlace } from './recording-place.ts'
import type { CallPlace, RecordedTrajectoriesStore, RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

/** Headers about the recording of a request. */
export interface RecordingHeaders {
  'x-heddle-trajectory-id'?: string | undefined
  'x-heddle-group-id'?: string | undefined
  'x-heddle-rollout-id'?: string | undefined
  'idempotency-key'?: string | undefined
  traceparent?: string | undefined
}

/** What is recorded of a chat completion, and where. */
export interface RecordingRequest extends RecordingHeaders {
  messages: readonly Record<string, unknown>[]
  tools: readonly Record<string, unknown>[] | null
}

/** A call that is recorded once it has been sampled. */
export interface CallRecording {
  /** Where it is recorded. Another trajectory may follow until it is saved. */
  place(): Pick<CallPlace, 'trajectoryId' | 'groupId'>
  /**
   * Durable once it resolves. Where the trajectory has finished meanwhile, it is in the next one of the name that the API key has, or in a new one for the conversation.
   * @throws ApiError 400 where the header names a trajectory that has finished meanwhile
   */
  save(choices: RecordedChoice[], isComplete: boolean): Promise<void>
}

/**
 * Prepares the recording of a call in the trajectory that it names, or that its API key or conversation has; undefined if there is none.
 * @throws ApiError 400 for a base model, and where the headers name a trajectory that has finished or is of another group, or one of them that is full
 */
export type BeginRecording = (context: Context, request: RecordingRequest, model: ResolvedModel) => Promise<CallRecording | undefined>

export interface RecordingDeps {
  store: RecordedTrajectoriesStore
  newId: () => string
  blobs: Blobs
  keepBlobs: KeepBlobs
  /** For rows that are written after the request has ended. */
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  assertDiskSpace: (() => Promise<void>) | undefined
  clock: () => Micros
}

export function createBeginRecording(deps: RecordingDeps): BeginRecording {
  const findPlace = createFindPlace(deps)

  return async (context, request, { checkpoint, project: projectId }) => {
    const byHeader = request['x-heddle-trajectory-id']
    const byKey = checkpoint === null ? null : context.caller.recording
    if (byHeader === undefined && byKey === null) return refuseAlone(request)
    if (checkpoint === null)
      throw badRequest('x-heddle-trajectory-id is for trained models: a base model belongs to no project; register one and name it', {
        param: 'model',
      })
    await deps.assertDiskSpace?.()
    const isNamed = (byHeader ?? byKey?.trajectory_id ?? null) !== null
    const conversation = isNamed ? null : await conversationOf(request, context)
    const trace = readTraceparent(request.traceparent)
    const requested: RequestedPlace = {
      modelId: checkpoint.model_id,
      trajectoryId: byHeader,
      groupId: request['x-heddle-group-id'],
      rolloutId: request['x-heddle-rollout-id'] ?? null,
      traceId: trace?.traceId ?? null,
      projectId,
      key: byKey,
      conversation,
    }
    let place = placeOf(requested, await findPlace(context.work, requested))
    const call = { requested, request, step: checkpoint.step, spanId: trace?.spanId ?? null, startedAt: deps.clock() }
    return {
      place: () => place,
      async save(choices, isComplete) {
        place = await saveCall({ ...deps, findPlace }, { ...call, place }, { choices, is_complete: isComplete })
      },
    }
  }
}

async function conversationOf(request: RecordingRequest, { caller }: Context): Promise<Conversation> {
  const said = await conversationDigests(request.messages as readonly Message[])
  return { keyId: caller.keyId, said, idempotencyKey: request['idempotency-key'] }
}

/** A group without a trajectory would record nothing, unnoticed. */
function refuseAlone(request: RecordingRequest): undefined {
  const name = (['x-heddle-group-id', 'x-heddle-rollout-id'] as const).find((header) => request[header] !== undefined)
  if (name !== undefined) throw badRequest(`the header ${name} needs x-heddle-trajectory-id beside it`)
  return undefined
}

interface Call {
  requested: RequestedPlace
  place: CallPlace
  request: RecordingRequest
  step: number
  spanId: string | null
  startedAt: Micros
}

const placeOf = (requested: RequestedPlace, found: Pick<CallPlace, 'trajectoryId' | 'groupId'>): CallPlace => ({ ...requested, ...found })

type CallResult = Pick<CallContent, 'choices' | 'is_complete'>

/** Saves a call where it was to be recorded, or in one that continues it. In its own scope: samples are kept even if the client has left. Returns where it is. */
async function saveCall(deps: RecordingDeps & { findPlace: FindPlace }, call: Call, sampled: CallResult): Promise<CallPlace> {
  const { requested } = call
  const signal = AbortSignal.timeout(saveTimeoutMs)
  const project = await deps.openProject(requested.projectId, signal)
  // As a later request of the conversation would begin another trajectory.
  const next = requested.conversation === null ? requested : { ...requested, trajectoryId: deps.newId() }
  let { place } = call
  for (let places = 1; ; places++) {
    const closed = await addCall(deps, project, { ...call, place }, sampled)
    if (!closed) return place
    if (requested.trajectoryId !== undefined || places === maxPlaces) throw takesNoCalls(place, closed)
    place = placeOf(requested, await deps.findPlace({ signal }, next))
  }
}

/** The trajectory of that place if it takes the call no more. */
async function addCall(
  { store, blobs, keepBlobs, clock }: RecordingDeps,
  project: ProjectScope,
  { requested: { conversation }, place, request, step, spanId, startedAt }: Call,
  sampled: CallResult,
): Promise<RecordedTrajectoryRow | undefined> {
  const messages = request.messages.map(withoutAbsent)
  const digests = await prefixDigests(messages)
  const base = await store.findBase(project, place, digests.slice(1).slice(-maxPrefixes))
  const tools = request.tools && request.tools.length > 0 ? [...request.tools] : null
  const content: CallContent = {
    format: 1,
    messages: messages.slice(base ? digests.indexOf(base.digest) : 0),
    tools,
    ...sampled,
    step,
    span_id: spanId,
  }
  const staged = await blobs.stage(Buffer.from(stringifyJson(content)))
  const call = {
    place,
    conversations: conversation && { keyId: conversation.keyId, reached: await reachedConversations(conversation, sampled) },
    key: request['idempotency-key'] ?? null,
    baseSeq: base?.seq ?? null,
    digest: digests.at(-1)!,
    content: { digest: staged.digest, sizeBytes: staged.sizeBytes },
    startedAt,
    at: clock(),
  }
  return keepBlobs(project, [staged], () => store.addCall(project, call)).finally(() => staged.drop())
}

const saveTimeoutMs = 30_000
/** Trajectories in which the saving of a call is tried: each but the last finishes meanwhile. */
const maxPlaces = 10
/** Prefixes of a request by which to find earlier calls, longest first. */
const maxPrefixes = 1_000

/** Undefined for anything else: a request is not refused for its tracing. */
function readTraceparent(text: string | undefined): { traceId: string; spanId: string } | undefined {
  const [, traceId, spanId] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(text ?? '') ?? []
  return traceId && spanId && !/^0+$/.test(traceId) && !/^0+$/.test(spanId) ? { traceId, spanId } : undefined
}
