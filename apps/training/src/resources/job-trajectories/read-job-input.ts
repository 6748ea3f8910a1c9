import { stringifyJson } from '@heddle/json'
import { inSlices } from '../../body-threads/in-slices.ts'
import { readPieces } from '../../request-body/read-pieces.ts'
import { createPacer } from '../../training/pacer.ts'
import { isModel } from '../models/is-model.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import { type GroupOfJob, JobGroup } from './job-group.ts'
import { toJobTrajectory } from './job-trajectory.ts'

/** A page of trajectories ends with the first after which it has this much. */
const pageBytes = 8 * 2 ** 20

export interface GroupsToList {
  job: Pick<TrainingJobRow, 'id' | 'config'>
  /** Index of the first one. */
  first: number
  limit: number
}

/** Groups of a body that was checked. */
export async function* listJobGroups(
  content: AsyncIterable<Uint8Array>,
  { job, first, limit }: GroupsToList,
  signal: AbortSignal,
): AsyncGenerator<GroupOfJob> {
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
  /** Index of the group. */
  group: number
  /** Index of the first trajectory in it. */
  first: number
  limit: number
  /** Whether choices include their tokens. */
  withTokens: boolean
}

/** The ids of the trajectories, and whether there are more; then slices of a JSON list of them. */
export type ListedPart = { ids: string[]; hasMore: boolean } | { slice: Uint8Array }

/** Trajectories of one group of a body that was checked; nothing where the group is not there. */
export async function* listJobTrajectories(
  content: AsyncIterable<Uint8Array>,
  { job, model, group: place, first, limit, withTokens }: TrajectoriesToList,
  signal: AbortSignal,
): AsyncGenerator<ListedPart> {
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
  const idOf = (at: number) => `${job.id}:${place}:${first + at}`
  yield { ids: texts.map((_, at) => idOf(at)), hasMore }
  const { advantages } = group.toGroup()
  const isTrainedModel = (name: string) => isModel(name, model)
  async function* write(): AsyncGenerator<string> {
    for (const [at, text] of texts.entries()) {
      await pace()
      const options = { id: idOf(at), advantage: advantages[first + at] ?? 0, withTokens, isTrainedModel }
      yield `${at === 0 ? '[' : ','}${stringifyJson(toJobTrajectory(text, options))}`
    }
    yield texts.length === 0 ? '[]' : ']'
  }
  for await (const slice of inSlices(write())) yield { slice }
}
