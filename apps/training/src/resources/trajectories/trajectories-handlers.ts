import { formatTimestamp, type Handlers, type LoggedTrajectoryGroup, type training } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { type Blobs, type Micros, StoreError } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { toPage } from '../../page.ts'
import { toRepeatable } from '../../repeats/repeatable.ts'
import type { TrajectoryLimits } from '../../request-body/check-body.ts'
import type { OpenModel } from '../models/open-model.ts'
import { toMetrics } from './group-metrics.ts'
import type { StoredGroup } from './logged-group.ts'
import type { GroupRow, GroupsFilter, TrajectoriesStore } from './trajectories-store.ts'
import { writeLog } from './write-log.ts'

export interface TrajectoriesDeps {
  store: TrajectoriesStore
  openModel: OpenModel
  blobs: Blobs
  keepBlobs: KeepBlobs
  bodies: BodyReader
  limits: TrajectoryLimits
  clock: () => Micros
  newId: () => string
}

/** JSON of the groups of a page. */
const pageBytes = 8 * 2 ** 20

/** Besides its groups. */
type LogFields = Record<'split', string>

export function trajectoriesHandlers(deps: TrajectoriesDeps): Handlers<typeof training.trajectories, Context> {
  const { store, openModel, blobs, keepBlobs, bodies, limits, clock, newId } = deps
  return {
    async log({ model_id, content, 'idempotency-key': key }, context) {
      const { caller, signal } = context.work
      const body = { content: () => content.read(), sizeBytes: content.sizeBytes, signal, caller }
      const { split } = (await bodies.readOne('checkRequest', { ...body, input: { operation: 'trajectories.log', limits } })) as LogFields
      checkSplit(split)
      const { model, project } = await openModel(context, model_id)
      const { staged, groups, sums } = await writeLog(bodies.read('toLog', { ...body, input: null }), blobs)
      const at = clock()
      const log = {
        modelId: model.id,
        sha256: staged.digest,
        groups: groups.map(({ firstByte, lastByte, names }) => ({
          row: {
            id: newId(),
            model_id: model.id,
            split,
            sha256: staged.digest,
            first_byte: firstByte,
            last_byte: lastByte,
            created_at: at,
          },
          names,
        })),
        metrics: toMetrics(sums, split),
        at,
        repeat: toRepeatable({ caller: context.caller, operation: 'trajectories.log', key, content: [model.id, content.digest] }),
      }
      await keepBlobs(project, [staged], () => store.log(project, log)).finally(() => staged.drop())
      return {}
    },

    async list({ model_id, split, step, trajectory_id, trace_id, after, limit }, context) {
      const { model } = await openModel(context, model_id)
      const filter = { split, step, after, limit: limit + 1, ...toNames(trajectory_id, trace_id) }
      const rows = await store.list(context.work, model.id, filter)
      const count = Math.min(limit, countShown(rows))
      const shown = new Map<string, StoredGroup>()
      for (const row of rows.slice(0, count)) shown.set(row.id, await readGroup(row, context.work.signal))
      return toPage(rows, count, (row) => toLoggedGroup(row, shown.get(row.id)!))
    },
  }

  async function readGroup({ sha256, first_byte, last_byte }: GroupRow, signal: AbortSignal): Promise<StoredGroup> {
    const content = await blobs.get(sha256, { start: first_byte, end: last_byte, signal })
    if (!content) throw new StoreError('unavailable', `the logged trajectories in the blob ${sha256} are missing`)
    const parts: Buffer[] = []
    for await (const part of content) parts.push(part as Buffer)
    return JSON.parse(Buffer.concat(parts).toString()) as StoredGroup
  }
}

/** A page ends with the first group after which it has `pageBytes`. */
function countShown(rows: readonly GroupRow[]): number {
  let bytes = 0
  const last = rows.findIndex(({ first_byte, last_byte }) => (bytes += last_byte - first_byte + 1) > pageBytes)
  return last === -1 ? rows.length : last + 1
}

function checkSplit(split: string): void {
  if (!/^[^\p{Cc}\p{Cs}/]{1,64}$/u.test(split))
    throw badRequest(`split ${JSON.stringify(split.slice(0, 100))} must have 1 to 64 characters, without "/" and control characters`)
}

/** The id of a trajectory is that of its group with its place. */
const ownId = /^([0-9a-f-]{36}):\d+$/

function toNames(trajectoryId: string | null, traceId: string | null): Pick<GroupsFilter, 'groupId' | 'name'> {
  const groupId = trajectoryId === null ? null : (ownId.exec(trajectoryId)?.[1] ?? null)
  const named = trajectoryId !== null && groupId === null ? [{ kind: 'trajectory_id' as const, name: trajectoryId }] : []
  const traced = traceId === null ? [] : [{ kind: 'trace_id' as const, name: traceId }]
  return { groupId, name: [...named, ...traced] }
}

function toLoggedGroup({ id, split, step, created_at }: GroupRow, group: StoredGroup): LoggedTrajectoryGroup {
  const trajectories = group.trajectories.map((trajectory, index) => ({ id: `${id}:${index}`, ...trajectory }))
  return { ...group, id, split, step, trajectories, created_at: formatTimestamp(created_at) }
}
