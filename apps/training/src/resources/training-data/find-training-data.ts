import { badRequest } from '@heddle/core-api/internal'
import type { Blobs, BlobStat } from '@heddle/datastore'
import type { Context, ProjectScope } from '@heddle/identity'
import { type Outgoing, OutgoingError } from '@heddle/outgoing'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { openOrHide } from '../models/open-model.ts'
import { parseArtifactUrl } from './training-data-address.ts'
import type { TrainingDataStore } from './training-data-store.ts'

export interface FoundTrainingData {
  stat: BlobStat
  /** Ensures that the content is kept while `work` writes the row that references it. */
  keep<T>(project: ProjectScope, work: () => Promise<T>): Promise<T>
}

/** Finds the data at an address. @throws ApiError 400 that describes the problem of the address */
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
    return storedData(keepBlobs, stat)
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
    // Read before a job references it, to measure its sequences.
    return storedData(keepBlobs, await blobs.put(response.bytes))
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

/** Data that is a blob already. */
export function storedData(keepBlobs: KeepBlobs, stat: BlobStat): FoundTrainingData {
  const held = { ...stat, keep: async () => undefined }
  return { stat, keep: (project, work) => keepBlobs(project, [held], work) }
}

/** The names under which clients store conversations, the present one first. */
const usualNames = ['train.jsonl', 'trajectories.jsonl']

/**
 * The file of an artifact that holds the conversations: the one with a usual name, or else the only one. Undefined without any.
 * @throws ApiError 400 when there are several, and none has a usual name
 */
function chooseFile<File extends { name: string }>(files: readonly File[], artifact: string): File | undefined {
  const usual = usualNames.map((name) => files.find((file) => file.name === name)).find((file) => file !== undefined)
  if (usual || files.length <= 1) return usual ?? files[0]
  const names = files.map(({ name }) => name).toSorted()
  throw badRequest(
    `the artifact ${JSON.stringify(artifact)} has several files of conversations (${names.join(', ')}); name one of them train.jsonl`,
  )
}
