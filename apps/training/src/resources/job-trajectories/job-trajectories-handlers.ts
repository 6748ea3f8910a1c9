import type { Handlers, JobTrajectoryGroup, training } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Blobs } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { toPage } from '../../page.ts'
import { readPieces } from '../../request-body/read-pieces.ts'
import { createPacer } from '../../training/pacer.ts'
import { isModel } from '../models/is-model.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { OpenJob } from '../training-jobs/open-job.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import { JobGroup } from './job-group.ts'
import { toJobTrajectory } from './job-trajectory.ts'
import { parsePlace } from './parse-place.ts'

export interface JobTrajectoriesDeps {
  blobs: Pick<Blobs, 'get'>
  openJob: OpenJob
  openModel: OpenModel
}

/** A page of trajectories ends with the first after which it has this much. */
const pageBytes = 8 * 2 ** 20

export function jobTrajectoriesHandlers({
  blobs,
  openJob,
  openModel,
}: JobTrajectoriesDeps): Handlers<typeof training.jobTrajectories, Context> {
  /** The body of the request that began the job. @throws ApiError 404 where it is not kept */
  async function openInput({ id, kind, input }: TrainingJobRow, signal: AbortSignal) {
    if (kind !== 'rl') throw notFound(`training job "${id}" learns from conversations; it has no trajectory groups`)
    const content = await blobs.get(input.digest, { signal })
    if (content) return content
    throw notFound(`the trajectories of training job "${id}" are no longer kept: only those of the newest ten jobs of a model are`)
  }

  return {
    async listGroups({ job_id, after, limit }, context) {
      const { job } = await openJob(context, job_id)
      const first = after === null ? 0 : parsePlace(after, job.id) + 1
      const { signal } = context.work
      const pace = createPacer(signal)
      const groups: JobTrajectoryGroup[] = []
      let group = new JobGroup(job, first)
      for await (const piece of readPieces(await openInput(job, signal))) {
        await pace()
        if (!('group' in piece) || piece.group < first) continue
        group.add(piece)
        if (piece.at !== 'group end') continue
        groups.push(group.toGroup())
        if (groups.length > limit) break
        group = new JobGroup(job, piece.group + 1)
      }
      return toPage(groups, limit, (one) => one)
    },

    async list({ job_id, group: place, after, limit, log_probabilities }, context) {
      const { job } = await openJob(context, job_id)
      const { model } = await openModel(context, job.model_id)
      const first = after === null ? 0 : parsePlace(after, `${job.id}:${place}`) + 1
      const { signal } = context.work
      const pace = createPacer(signal)
      const group = new JobGroup(job, place)
      const texts: string[] = []
      let bytes = 0
      let isFound = false
      for await (const piece of readPieces(await openInput(job, signal))) {
        await pace()
        if (!('group' in piece) || piece.group < place) continue
        isFound = true
        group.add(piece)
        if (piece.at === 'group end') break
        if (piece.at !== 'trajectory' || piece.trajectory < first || texts.length > limit) continue
        // One more than is shown says that there are more; what it holds does not matter.
        const isFull = texts.length === limit || bytes > pageBytes
        texts.push(isFull ? '' : piece.text)
        bytes += isFull ? 0 : piece.text.length
      }
      if (!isFound) throw notFound(`training job "${job.id}" has no trajectory group ${place}`)
      const { advantages } = group.toGroup()
      const shown = texts.findIndex((text) => text === '')
      const options = { withTokens: log_probabilities === true, isTrainedModel: (name: string) => isModel(name, model) }
      return toPage(
        texts.map((text, at) => ({ text, at: first + at, id: '' })),
        shown === -1 ? limit : shown,
        ({ text, at }) => toJobTrajectory(text, { ...options, id: `${job.id}:${place}:${at}`, advantage: advantages[at] ?? 0 }),
      )
    },
  }
}
