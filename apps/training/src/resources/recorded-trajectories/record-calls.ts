import { badRequest } from '@heddle/core-api/internal'
import type { Blobs, Micros } from '@heddle/datastore'
import type { Context, ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { RecordedChoice } from '../chat-completions/response/gather-choices.ts'
import type { ResolvedModel } from '../chat-completions/model/resolve-model.ts'
import { type Conversation, digestsToContinue, reachedConversations } from './key-conversations.ts'
import { type CallContent, prefixDigests, withoutAbsent } from './recorded-call.ts'
import { assertSamePlace } from './recorded-place.ts'
import type { CallPlace, RecordedTrajectoriesStore } from './recorded-trajectories-store.ts'

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
  readonly trajectoryId: string
  /** Durable once it resolves. @throws ApiError 400 when the trajectory has finished meanwhile */
  save(choices: RecordedChoice[], isComplete: boolean): Promise<void>
}

/**
 * Prepares the recording of a call in the trajectory that it names, or that its API key or conversation has; undefined if there is none.
 * @throws ApiError 400 for a base model, for a trajectory that has finished or is of another group, and where either is full
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

const recordingLimits = { callsOfTrajectory: 1_000, trajectoriesOfGroup: 1_000, bytesOfGroup: 64 * 2 ** 20 } as const

export function createBeginRecording(deps: RecordingDeps): BeginRecording {
  const { store, clock } = deps

  /** Checked before anything is sampled; requests at the same time may pass it together, by as many calls as they are. */
  async function assertCapacity({ work }: Context, place: CallPlace): Promise<void> {
    const { callsOfTrajectory, trajectoriesOfGroup, bytesOfGroup } = recordingLimits
    const row = await store.find(work, place.modelId, place.trajectoryId)
    if (row) assertSamePlace(place, row)
    if (row && row.calls >= callsOfTrajectory) throw full(`trajectory ${JSON.stringify(place.trajectoryId)} has ${callsOfTrajectory} calls`)
    const { trajectories, bytes } = await store.groupSize(work, place.modelId, place.groupId)
    const group = `group ${JSON.stringify(place.groupId)}`
    if (!row && trajectories >= trajectoriesOfGroup) throw full(`${group} has ${trajectoriesOfGroup} trajectories`)
    if (bytes >= bytesOfGroup) throw full(`${group} holds ${bytesOfGroup / 2 ** 20} MiB`)
  }

  /** The trajectory of the conversation with this key that the request continues, or a new one. */
  async function trajectoryOf(
    conversation: Conversation,
    { modelId, projectId }: { modelId: string; projectId: string },
    { work }: Context,
  ) {
    const project = await deps.openProject(projectId, work.signal)
    const place = { modelId, keyId: conversation.keyId, fullAt: recordingLimits.callsOfTrajectory }
    for (const digests of digestsToContinue(conversation)) {
      const found = await store.continueConversation(project, place, digests)
      if (found !== undefined) return found
    }
    return deps.newId()
  }

  return async (context, request, { checkpoint, project: projectId }) => {
    const byHeader = request['x-heddle-trajectory-id']
    const byKey = checkpoint === null ? null : context.caller.recording
    if (byHeader === undefined && byKey === null) return refuseAlone(request)
    if (checkpoint === null)
      throw badRequest('x-heddle-trajectory-id is for trained models: a base model belongs to no project; register one and name it', {
        param: 'model',
      })
    await deps.assertDiskSpace?.()
    const modelId = checkpoint.model_id
    const given = byHeader ?? byKey?.trajectory_id ?? null
    const conversation = given === null ? conversationOf(request, context) : null
    const trajectoryId = conversation ? await trajectoryOf(conversation, { modelId, projectId }, context) : given!
    const trace = readTraceparent(request.traceparent)
    const place: CallPlace = {
      modelId,
      trajectoryId,
      groupId: request['x-heddle-group-id'] ?? byKey?.group_id ?? trajectoryId,
      rolloutId: request['x-heddle-rollout-id'] ?? null,
      traceId: trace?.traceId ?? null,
    }
    await assertCapacity(context, place)
    const call = { place, conversation, request, step: checkpoint.step, spanId: trace?.spanId ?? null, startedAt: clock(), projectId }
    return { trajectoryId, save: (choices, isComplete) => saveCall(deps, call, { choices, is_complete: isComplete }) }
  }
}

function conversationOf({ messages, 'idempotency-key': idempotencyKey }: RecordingRequest, { caller }: Context): Conversation {
  return { keyId: caller.keyId, messages: messages as Conversation['messages'], idempotencyKey }
}

/** A group without a trajectory would record nothing, unnoticed. */
function refuseAlone(request: RecordingRequest): undefined {
  const name = (['x-heddle-group-id', 'x-heddle-rollout-id'] as const).find((header) => request[header] !== undefined)
  if (name !== undefined) throw badRequest(`the header ${name} needs x-heddle-trajectory-id beside it`)
  return undefined
}

const full = (reason: string) =>
  badRequest(`${reason}, which is the most; begin another, with a header or with another API key if the key names it`)

interface Call {
  place: CallPlace
  /** By which it is found again. Null: its trajectory was given. */
  conversation: Conversation | null
  request: RecordingRequest
  step: number
  spanId: string | null
  startedAt: Micros
  projectId: string
}

/** In its own scope: samples are kept even if the client has left. */
async function saveCall(
  { store, blobs, keepBlobs, openProject, clock }: RecordingDeps,
  { place, conversation, request, step, spanId, startedAt, projectId }: Call,
  sampled: Pick<CallContent, 'choices' | 'is_complete'>,
): Promise<void> {
  const project = await openProject(projectId, AbortSignal.timeout(saveTimeoutMs))
  const messages = request.messages.map(withoutAbsent)
  const digests = prefixDigests(messages)
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
    conversations: conversation && { keyId: conversation.keyId, reached: reachedConversations(conversation, sampled) },
    key: request['idempotency-key'] ?? null,
    baseSeq: base?.seq ?? null,
    digest: digests.at(-1)!,
    content: { digest: staged.digest, sizeBytes: staged.sizeBytes },
    startedAt,
    at: clock(),
  }
  await keepBlobs(project, [staged], () => store.addCall(project, call)).finally(() => staged.drop())
}

const saveTimeoutMs = 30_000
/** Prefixes of a request by which to find earlier calls, longest first. */
const maxPrefixes = 1_000

/** Undefined for anything else: a request is not refused for its tracing. */
function readTraceparent(text: string | undefined): { traceId: string; spanId: string } | undefined {
  const [, traceId, spanId] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(text ?? '') ?? []
  return traceId && spanId && !/^0+$/.test(traceId) && !/^0+$/.test(spanId) ? { traceId, spanId } : undefined
}
