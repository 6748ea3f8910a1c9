import { formatTimestamp, type Handlers, type training } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { Blobs, Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { toPageOf } from '../../page.ts'
import { toRepeatable } from '../../repeats/repeatable.ts'
import type { TrajectoryLimits } from '../../request-body/check-body.ts'
import { checkRequest } from '../../request-body/check-request.ts'
import type { OpenModel } from '../models/open-model.ts'
import { type GroupHead, listLoggedGroups } from './list-logged-groups.ts'
import { toLog } from './to-log.ts'
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
      const { split } = (await bodies.readOne(checkRequest, { ...body, input: { operation: 'trajectories.log', limits } })) as LogFields
      checkSplit(split)
      const { model, project } = await openModel(context, model_id)
      const { staged, groups, sums } = await writeLog(bodies.read(toLog, { ...body, input: null }), blobs)
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
        split,
        sums,
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
      const shown = rows.slice(0, Math.min(limit, countShown(rows)))
      const { caller, signal } = context.work
      const sizeBytes = shown.reduce((sum, row) => sum + bytesOf(row), 0)
      const input = { groups: shown.map(toHead) }
      const slices: Uint8Array[] = []
      for await (const slice of bodies.read(listLoggedGroups, {
        content: () => readLinesOf(shown, signal),
        sizeBytes,
        input,
        signal,
        caller,
      }))
        slices.push(slice)
      return toPageOf({ ids: shown.map(({ id }) => id), hasMore: rows.length > shown.length }, slices)
    },
  }

  async function* readLinesOf(rows: readonly GroupRow[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (const { sha256, first_byte, last_byte } of rows) {
      const content = await blobs.read(sha256, { start: first_byte, end: last_byte, signal })
      yield* content as AsyncIterable<Uint8Array>
      yield lineEnd
    }
  }
}

const lineEnd = Buffer.from('\n')
const bytesOf = ({ first_byte, last_byte }: GroupRow) => last_byte - first_byte + 1

/** A page ends with the first group after which it has `pageBytes`. */
function countShown(rows: readonly GroupRow[]): number {
  let bytes = 0
  const last = rows.findIndex((row) => (bytes += bytesOf(row)) > pageBytes)
  return last === -1 ? rows.length : last + 1
}

function checkSplit(split: string): void {
  if (!/^[^\p{Cc}\p{Cs}/]{1,64}$/u.test(split))
    throw badRequest(`split ${JSON.stringify(split.slice(0, 100))} must have 1 to 64 characters, without "/" and control characters`)
}

/** The id of a trajectory is that of its group with its index. */
const ownId = /^([0-9a-f-]{36}):\d+$/

function toNames(trajectoryId: string | null, traceId: string | null): Pick<GroupsFilter, 'groupId' | 'name'> {
  const groupId = trajectoryId === null ? null : (ownId.exec(trajectoryId)?.[1] ?? null)
  const named = trajectoryId !== null && groupId === null ? [{ kind: 'trajectory_id' as const, name: trajectoryId }] : []
  const traced = traceId === null ? [] : [{ kind: 'trace_id' as const, name: traceId }]
  return { groupId, name: [...named, ...traced] }
}

const toHead = ({ id, split, step, created_at }: GroupRow): GroupHead => ({ id, split, step, created_at: formatTimestamp(created_at) })
