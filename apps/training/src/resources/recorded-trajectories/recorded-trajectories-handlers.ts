import { formatTimestamp, type Handlers, type training } from '@heddle/core-api'
import type { RecordedTrajectory, RecordedTrajectoryGroup } from '@heddle/core-api/types'
import { badRequest, conflict, JsonText } from '@heddle/core-api/internal'
import type { Blobs, Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { canonicalJson } from '@heddle/json'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import { toPage } from '../../page.ts'
import type { OpenedModel, OpenModel } from '../models/open-model.ts'
import type { StartRlJob } from '../training-jobs/start-rl-job.ts'
import { readRecordedGroup } from './read-recorded-group.ts'
import { type GroupPlace, recordedGroupContent } from './recorded-group-content.ts'
import { noSuchTrajectory } from './recorded-place.ts'
import type { Outcome, RecordedFilter, RecordedTrajectoriesStore, RecordedTrajectoryRow } from './recorded-trajectories-store.ts'

export interface RecordedTrajectoriesDeps {
  store: RecordedTrajectoriesStore
  blobs: Blobs
  bodies: BodyReader
  openModel: OpenModel
  startRlJob: StartRlJob
  clock: () => Micros
}

/** Groups that are looked up together. */
const groupsAtOnce = 100

export function recordedTrajectoriesHandlers(deps: RecordedTrajectoriesDeps): Handlers<typeof training.recordedTrajectories, Context> {
  const { store, blobs, bodies, openModel, startRlJob, clock } = deps

  /** The JSON of a group, in slices. All of it is there before the first is sent, so that no client keeps a thread. */
  async function readGroup({ work }: Context, place: GroupPlace): Promise<Uint8Array[]> {
    const { bytes: sizeBytes } = await store.groupSize(work, place.model_id, place.group_id)
    const content = () => recordedGroupContent({ store, blobs }, work, place)
    const { signal, caller } = work
    const slices: Uint8Array[] = []
    const input = { group_id: place.group_id }
    for await (const slice of bodies.read(readRecordedGroup, { content, sizeBytes, input, signal, caller })) slices.push(slice)
    return slices
  }

  /** The slices of each, one at a time. */
  async function* readGroups(context: Context, { model }: OpenedModel, which: RecordedFilter) {
    let after = 0
    for (;;) {
      const groups = await store.listGroups(context.work, model.id, { ...which, after, limit: groupsAtOnce })
      for (const { group_id } of groups) yield await readGroup(context, { model_id: model.id, group_id, rollout_id: which.rollout_id })
      if (groups.length < groupsAtOnce) return
      after = groups.at(-1)!.first
    }
  }

  return {
    async list({ model_id, group_id, rollout_id, status, trace_id, after, limit }, context) {
      const { model } = await openModel(context, model_id)
      const rows = await store.list(context.work, model.id, { group_id, rollout_id, status, trace_id, after, limit: limit + 1 })
      return toPage(rows, limit, toRecorded)
    },

    async read({ model_id, trajectory_id }, context) {
      const { model } = await openModel(context, model_id)
      const row = trajectory_id.includes('\0') ? undefined : await store.find(context.work, model.id, trajectory_id)
      if (!row) throw noSuchTrajectory(trajectory_id)
      return toRecorded(row)
    },

    async finish({ model_id, trajectory_id, ...said }, context) {
      const { model, project } = await openModel(context, model_id)
      const outcome: Outcome = said
      if (outcome.reward === null && outcome.error === null)
        throw badRequest(`trajectory ${JSON.stringify(trajectory_id.slice(0, 200))} needs a reward, or an error that says why it failed`)
      const row = trajectory_id.includes('\0') ? undefined : await store.finish(project, model.id, trajectory_id, outcome, clock())
      if (!row) throw noSuchTrajectory(trajectory_id)
      assertSameOutcome(row, outcome)
      return toRecorded(row)
    },

    async groups({ model_id, group_id, rollout_id }, context) {
      return toAnswers(readGroups(context, await openModel(context, model_id), { group_id, rollout_id }))
    },

    async train({ model_id, group_id, rollout_id, experimental_config, 'idempotency-key': key }, context) {
      const opened = await openModel(context, model_id)
      const groups = readGroups(context, opened, { group_id, rollout_id })
      const content = await blobs.stage(toBody({ model_id: opened.model.id, experimental_config }, groups))
      return startRlJob({ content, key }, context).finally(() => content.drop())
    },

    async delete({ model_id, trajectory_id }, context) {
      const { model, project } = await openModel(context, model_id)
      return { deleted: !trajectory_id.includes('\0') && (await store.delete(project, model.id, trajectory_id)) }
    },
  }
}

async function* toAnswers(groups: AsyncIterable<Uint8Array[]>): AsyncGenerator<JsonText<RecordedTrajectoryGroup>> {
  for await (const slices of groups) yield new JsonText(Buffer.concat(slices))
}

/** The body of a training job, in pieces. */
async function* toBody(fields: object, groups: AsyncIterable<Uint8Array[]>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"trajectory_groups":[`)
  let isFirst = true
  for await (const slices of groups) {
    if (!isFirst) yield Buffer.from(',')
    yield* slices
    isFirst = false
  }
  yield Buffer.from(']}')
}

function assertSameOutcome({ id, outcome }: RecordedTrajectoryRow, said: Outcome): void {
  if (canonicalJson(outcome) === canonicalJson(said)) return
  throw conflict(
    `trajectory ${JSON.stringify(id)} has finished already, ${describe(outcome!)}; what it finished with cannot be changed: delete it, or record another attempt`,
  )
}

const describe = ({ reward, error }: Outcome) => (error === null ? `with the reward ${reward}` : `as failed: ${error.slice(0, 200)}`)

function toRecorded(row: RecordedTrajectoryRow): RecordedTrajectory {
  const { id, group_id, rollout_id, trace_id, status, calls, outcome } = row
  return {
    id,
    group_id,
    rollout_id,
    trace_id,
    status,
    calls,
    reward: outcome?.reward ?? null,
    error: outcome?.error ?? null,
    created_at: formatTimestamp(row.created_at),
    finished_at: row.finished_at === null ? null : formatTimestamp(row.finished_at),
  }
}
