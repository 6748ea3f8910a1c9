import { badRequest } from '@heddle/core-api/internal'
import type { KeyRecording } from '@heddle/core-api/types'
import type { ProjectScope } from '@heddle/identity'
import { firstWithRoom, follows } from './following-names.ts'
import { type Conversation, digestsToContinue } from './key-conversations.ts'
import { takesCalls, takesNoCalls } from './recorded-place.ts'
import type { GroupSize, RecordedTrajectoriesStore, RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

const recordingLimits = { callsOfTrajectory: 1_000, trajectoriesOfGroup: 1_000, bytesOfGroup: 64 * 2 ** 20 } as const

export interface PlaceDeps {
  store: Pick<RecordedTrajectoriesStore, 'find' | 'groupSize' | 'continueConversation'>
  newId: () => string
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

/** What a request and its API key say about where it is recorded. */
export interface RequestedPlace {
  modelId: string
  projectId: string
  /** From its headers. */
  trajectoryId: string | undefined
  groupId: string | undefined
  rolloutId: string | null
  traceId: string | null
  /** Recording of the API key. Null: it records nothing by itself. */
  key: KeyRecording | null
  /** By which its trajectory is found, where neither names one. */
  conversation: Conversation | null
}

/** Where a call is recorded. @throws ApiError 400 for a trajectory or group that the headers name and that takes no more */
export type FindPlace = (
  work: { readonly signal: AbortSignal },
  requested: RequestedPlace,
) => Promise<{ trajectoryId: string; groupId: string }>

/**
 * What the headers of a request name is taken as it is, and refused where it is full. What its API key names is followed by `name-2`, `name-3` and so on, since
 * the program that chats cannot choose another and must have its answer. Requests at the same time may fill one by as many as they are.
 */
export function createFindPlace({ store, newId, openProject }: PlaceDeps): FindPlace {
  return async (work, requested) => {
    const { modelId, key, conversation } = requested
    const sizes = new Map<string, Promise<GroupSize>>()
    const sizeOf = (groupId: string) => {
      if (!sizes.has(groupId)) sizes.set(groupId, store.groupSize(work, modelId, groupId))
      return sizes.get(groupId)!
    }
    const find = (id: string) => store.find(work, modelId, id)

    async function takesMore(row: RecordedTrajectoryRow): Promise<boolean> {
      if (row.status !== 'open' || row.calls >= recordingLimits.callsOfTrajectory) return false
      return requested.groupId !== undefined || (await sizeOf(row.group_id)).bytes < recordingLimits.bytesOfGroup
    }

    async function isGroupFull(groupId: string): Promise<boolean> {
      const { trajectories, bytes } = await sizeOf(groupId)
      return trajectories >= recordingLimits.trajectoriesOfGroup || bytes >= recordingLimits.bytesOfGroup
    }

    async function continued(of: Conversation): Promise<string> {
      const project = await openProject(requested.projectId, work.signal)
      const place = { modelId, keyId: of.keyId, fullAt: recordingLimits.callsOfTrajectory }
      for (const digests of digestsToContinue(of)) {
        const found = await store.continueConversation(project, place, digests)
        const row = found === undefined ? undefined : await find(found)
        if (row && (await takesMore(row))) return row.id
      }
      return newId()
    }

    async function trajectoryOf(): Promise<string> {
      if (requested.trajectoryId !== undefined) return requested.trajectoryId
      if (conversation !== null) return continued(conversation)
      return firstWithRoom(key!.trajectory_id!, async (id) => {
        const row = await find(id)
        return row !== undefined && !(await takesMore(row))
      })
    }

    async function groupOf(trajectoryId: string, row: RecordedTrajectoryRow | undefined): Promise<string> {
      if (requested.groupId !== undefined) return requested.groupId
      const name = key?.group_id ?? null
      if (name === null) return trajectoryId
      if (row === undefined) return firstWithRoom(name, isGroupFull)
      return follows(name, row.group_id) ? row.group_id : name
    }

    const trajectoryId = await trajectoryOf()
    const row = await find(trajectoryId)
    const groupId = await groupOf(trajectoryId, row)
    const place = { ...requested, trajectoryId, groupId }
    if (row && !takesCalls(place, row)) throw takesNoCalls(place, row)
    assertCapacity({ trajectoryId, groupId }, row, await sizeOf(groupId))
    return { trajectoryId, groupId }
  }
}

function assertCapacity(
  { trajectoryId, groupId }: { trajectoryId: string; groupId: string },
  row: RecordedTrajectoryRow | undefined,
  { trajectories, bytes }: GroupSize,
): void {
  const { callsOfTrajectory, trajectoriesOfGroup, bytesOfGroup } = recordingLimits
  if (row && row.calls >= callsOfTrajectory) throw full(`trajectory ${JSON.stringify(trajectoryId)} has ${callsOfTrajectory} calls`)
  const group = `group ${JSON.stringify(groupId)}`
  if (!row && trajectories >= trajectoriesOfGroup) throw full(`${group} has ${trajectoriesOfGroup} trajectories`)
  if (bytes >= bytesOfGroup) throw full(`${group} holds ${bytesOfGroup / 2 ** 20} MiB`)
}

const full = (reason: string) => badRequest(`${reason}, which is the most; begin another, by another id in the header`)
