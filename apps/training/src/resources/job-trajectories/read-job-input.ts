import type { JobTrajectoryGroup } from '@heddle/core-api'
import { readPieces } from '../../request-body/read-pieces.ts'
import { createPacer } from '../../training/pacer.ts'
import { isModel } from '../models/is-model.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import { JobGroup } from './job-group.ts'
import { toJobTrajectory } from './job-trajectory.ts'

/** A page of trajectories ends with the first after which it has this much. */
const pageBytes = 8 * 2 ** 20

export interface GroupsToList {
  job: Pick<TrainingJobRow, 'id' | 'config'>
  /** Place of the first one. */
  first: number
  limit: number
}

/** Groups of a body that was checked. */
export async function* listJobGroups(
  content: AsyncIterable<Uint8Array>,
  { job, first, limit }: GroupsToList,
  signal: AbortSignal,
): AsyncGenerator<JobTrajectoryGroup> {
  const pace = createPacer(signal)
  let group = new JobGroup(job, first)
  let count = 0
  for await (const piece of readPieces(content)) {
    await pace()
    if (!('group' in piece) || piece.group < first) continue
    group.add(piece)
    if (piece.at !== 'group end') continue
    yield group.toGroup()
    if (++count === limit) return
    group = new JobGroup(job, piece.group + 1)
  }
}

export interface TrajectoriesToList {
  job: Pick<TrainingJobRow, 'id' | 'config'>
  model: Pick<ModelRow, 'id' | 'name' | 'project_id'>
  /** Place of the group. */
  group: number
  /** Place of the first trajectory in it. */
  first: number
  limit: number
  /** Whether choices come with their tokens. */
  withTokens: boolean
}

/** A trajectory as the wire has it. */
export interface ListedTrajectory {
  id: string
  json: Uint8Array
}

/** Trajectories of one group of a body that was checked, after whether there are more; nothing where the group is not there. */
export async function* listJobTrajectories(
  content: AsyncIterable<Uint8Array>,
  { job, model, group: place, first, limit, withTokens }: TrajectoriesToList,
  signal: AbortSignal,
): AsyncGenerator<ListedTrajectory | { hasMore: boolean }> {
  const pace = createPacer(signal)
  const group = new JobGroup(job, place)
  const texts: string[] = []
  let bytes = 0
  let isFound = false
  let hasMore = false
  for await (const piece of readPieces(content)) {
    await pace()
    if (!('group' in piece) || piece.group < place) continue
    isFound = true
    group.add(piece)
    if (piece.at === 'group end') break
    if (piece.at !== 'trajectory' || piece.trajectory < first) continue
    hasMore ||= texts.length === limit || bytes > pageBytes
    if (hasMore) continue
    texts.push(piece.text)
    bytes += piece.text.length
  }
  if (!isFound) return
  yield { hasMore }
  const { advantages } = group.toGroup()
  const isTrainedModel = (name: string) => isModel(name, model)
  for (const [at, text] of texts.entries()) {
    await pace()
    const id = `${job.id}:${place}:${first + at}`
    const trajectory = toJobTrajectory(text, { id, advantage: advantages[first + at] ?? 0, withTokens, isTrainedModel })
    yield { id, json: Buffer.from(JSON.stringify(trajectory)) }
  }
}
