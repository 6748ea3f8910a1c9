import type { Handlers, training } from '@heddle/core-api'
import type { JobTrajectoryGroup } from '@heddle/core-api/types'
import { notFound } from '@heddle/core-api/internal'
import type { Blobs } from '@heddle/datastore'
import type { Context, RequestWork } from '@heddle/identity'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import { parseExactly } from '../../json-text/parse-exactly.ts'
import { toPage, toPageOf } from '../../page.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { OpenJob } from '../training-jobs/open-job.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import type { TrainingJobsStore } from '../training-jobs/training-jobs-store.ts'
import { listJobGroups, listJobTrajectories } from './read-job-input.ts'

export interface JobTrajectoriesDeps {
  blobs: Pick<Blobs, 'get' | 'read'>
  /** Whether what the job learned from is kept. */
  keepsInput: TrainingJobsStore['keepsInput']
  bodies: BodyReader
  openJob: OpenJob
  openModel: OpenModel
}

export function jobTrajectoriesHandlers({
  blobs,
  keepsInput,
  bodies,
  openJob,
  openModel,
}: JobTrajectoriesDeps): Handlers<typeof training.jobTrajectories, Context> {
  /** The body of the request that began the job. @throws ApiError 404 if it is not kept, StoreError `damaged` if it should be but is missing */
  async function openInput({ id, kind, input }: Pick<TrainingJobRow, 'id' | 'kind' | 'input'>, work: RequestWork) {
    const { signal } = work
    if (kind !== 'rl') throw notFound(`training job "${id}" learns from conversations; it has no trajectory groups`)
    const content = await blobs.get(input.digest, { signal })
    if (content) return content
    if (await keepsInput(work, id)) return blobs.read(input.digest, { signal })
    throw notFound(`the trajectories of training job "${id}" are no longer kept: only those of the newest ten jobs of a model are`)
  }

  /** How the body of the request that began the job is read. */
  const toRead = ({ id, kind, input, config }: TrainingJobRow, work: RequestWork) => ({
    body: { content: () => openInput({ id, kind, input }, work), sizeBytes: input.sizeBytes, signal: work.signal, caller: work.caller },
    job: { id, config },
  })

  return {
    async listGroups({ job_id, after, limit }, context) {
      const { job: row } = await openJob(context, job_id)
      const first = after === null ? 0 : parsePlace(after, row.id) + 1
      const { body, job } = toRead(row, context.work)
      const groups: JobTrajectoryGroup[] = []
      for await (const group of bodies.read(listJobGroups, { ...body, input: { job, first, limit: limit + 1 } }))
        groups.push({ ...group, metadata: parseExactly(group.metadata) as JobTrajectoryGroup['metadata'] })
      return toPage(groups, limit, (group) => group)
    },

    async list({ job_id, group, after, limit, log_probabilities }, context) {
      const { job: row } = await openJob(context, job_id)
      const { id, name, project_id } = (await openModel(context, row.model_id)).model
      const first = after === null ? 0 : parsePlace(after, `${row.id}:${group}`) + 1
      const { body, job } = toRead(row, context.work)
      const input = { job, model: { id, name, project_id }, group, first, limit, withTokens: log_probabilities === true }
      const slices: Uint8Array[] = []
      let page: { ids: string[]; hasMore: boolean } | undefined
      for await (const part of bodies.read(listJobTrajectories, { ...body, input })) {
        if ('slice' in part) slices.push(part.slice)
        else page = part
      }
      if (page === undefined) throw notFound(`training job "${job.id}" has no trajectory group ${group}`)
      return toPageOf(page, slices)
    },
  }
}

/** The index at the end of an id, after the id of the parent. @throws ApiError 404 for any other id */
function parsePlace(id: string, parent: string): number {
  const place = id.startsWith(`${parent}:`) ? id.slice(parent.length + 1) : ''
  if (/^\d{1,7}$/.test(place)) return Number(place)
  throw notFound(`${JSON.stringify(id.slice(0, 100))} is not in this list; "after" takes the id of the last item of the page before`)
}
