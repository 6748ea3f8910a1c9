import { badRequest } from '@heddle/core-api/internal'
import type { Blobs, BlobStat } from '@heddle/datastore'
import type { Context, ProjectScope } from '@heddle/identity'
import { type Outgoing, OutgoingError } from '@heddle/outgoing'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { openOrHide } from '../models/open-model.ts'
import { chooseFile } from './choose-file.ts'
import { parseArtifactUrl } from './training-data-address.ts'
import type { TrainingDataStore } from './training-data-store.ts'

export interface FoundTrainingData {
  stat: BlobStat
  /** Makes sure that the content stays while `work` writes the row that names it. */
  keep<T>(project: ProjectScope, work: () => Promise<T>): Promise<T>
}

/** Finds what an address names. @throws ApiError 400 that says what is wrong with the address */
export type FindTrainingData = (context: Context, url: string) => Promise<FoundTrainingData>

export interface FindTrainingDataDeps {
  store: TrainingDataStore
  blobs: Blobs
  keepBlobs: KeepBlobs
  outgoing: Outgoing
}

/** Fetched at the time of the request, at most 64 MiB within a minute: larger data is uploaded first. */
const maxFetchedBytes = 64 * 2 ** 20
const fetchMs = 60_000

export function createFindTrainingData({ store, blobs, keepBlobs, outgoing }: FindTrainingDataDeps): FindTrainingData {
  async function findUpload(context: Context, url: string, { projectId, name }: { projectId: string; name: string }) {
    const project = await openOrHide(context, projectId)
    const stat = project && ((await store.find(context.work, projectId, name)) ?? (await findInArtifact(context, projectId, name)))
    if (!stat)
      throw badRequest(`training_data_url ${JSON.stringify(url)} names no training data; upload it with POST /v1/preview/training-data`)
    const held = { ...stat, keep: async () => undefined }
    return { stat, keep: <T>(scope: ProjectScope, work: () => Promise<T>) => keepBlobs(scope, [held], work) }
  }

  async function findInArtifact({ work }: Context, projectId: string, artifact: string): Promise<BlobStat | undefined> {
    return chooseFile(await store.listFiles(work, projectId, artifact), artifact)?.content
  }

  async function fetchData({ work: { signal } }: Context, url: string): Promise<FoundTrainingData> {
    const response = await outgoing.send({ url, maxResponseBytes: maxFetchedBytes, timeoutMs: fetchMs, signal }).catch((error: unknown) => {
      if (error instanceof OutgoingError) throw badRequest(`training_data_url could not be fetched: ${error.message}`)
      throw error
    })
    if (response.status !== 200) throw badRequest(`training_data_url could not be fetched: the server answered ${response.status}`)
    const staged = await blobs.stage(response.bytes)
    const { digest, sizeBytes } = staged
    return {
      stat: { digest, sizeBytes },
      keep: (scope, work) => keepBlobs(scope, [staged], work).finally(() => staged.drop()),
    }
  }

  return async (context, url) => {
    const artifact = parseArtifactUrl(url)
    if (artifact) return findUpload(context, url, artifact)
    if (/^https:\/\//i.test(url)) return fetchData(context, url)
    throw badRequest(
      `training_data_url ${JSON.stringify(url.slice(0, 200))} is neither the address of uploaded training data nor an https address; upload the data with POST /v1/preview/training-data`,
    )
  }
}
