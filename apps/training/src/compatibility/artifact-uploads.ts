import { createHash, randomBytes } from 'node:crypto'
import { notFound } from '@heddle/core-api/internal'
import type { Micros, WorkScope } from '@heddle/datastore'
import type { Identity } from '@heddle/identity'
import type { UploadRoute } from '@heddle/service-kit'
import type { KeepBlobs } from '../keep-blobs.ts'
import type { TrainingDataStore } from '../resources/training-data/training-data-store.ts'
import type { ArtifactUpload, ArtifactUploadsStore } from './artifact-uploads-store.ts'

/** How long an address can be used: an hour. */
const uploadMicros = 3_600 * 1_000_000
const folder = '/files/artifacts'

export interface ArtifactUploads {
  /** Paths to which a client may upload, one for each. */
  open(scope: Pick<WorkScope, 'signal'>, uploads: readonly ArtifactUpload[]): Promise<string[]>
  route: UploadRoute
}

export interface ArtifactUploadsDeps {
  uploads: ArtifactUploadsStore
  trainingData: TrainingDataStore
  keepBlobs: KeepBlobs
  identity: Pick<Identity, 'openForWork'>
  clock: () => Micros
  assertDiskSpace: (() => Promise<void>) | undefined
}

/** Addresses for the files of artifacts. An upload that is repeated, as clients do when the connection breaks, changes nothing. */
export function createArtifactUploads(deps: ArtifactUploadsDeps): ArtifactUploads {
  const { uploads, trainingData, keepBlobs, identity, clock, assertDiskSpace } = deps
  return {
    async open(scope, wanted) {
      const tokens = wanted.map(() => randomBytes(32).toString('base64url'))
      const expiresAt = clock() + uploadMicros
      const rows = wanted.map((upload, at) => ({ ...upload, hash: hashOf(tokens[at]!), expiresAt }))
      await uploads.create(scope, rows)
      return tokens.map((token) => `${folder}/${token}`)
    },
    route: {
      name: 'compatibility.uploadArtifactFile',
      method: 'PUT',
      path: `${folder}/{token}`,
      async begin({ token = '' }, { signal }) {
        const upload = await uploads.find({ signal }, hashOf(token), clock())
        if (!upload) throw notFound('this upload address has expired or never was one; ask for the upload again')
        await assertDiskSpace?.()
        return async (content) => {
          const { projectId, name } = upload
          if (name === null) return Response.json({})
          const project = await identity.openForWork(projectId, { caller: 'artifact-uploads', signal })
          const { digest, sizeBytes } = content
          await keepBlobs(project, [content], () => trainingData.create(project, { name, content: { digest, sizeBytes }, at: clock() }))
          return Response.json({})
        }
      },
    },
  }
}

const hashOf = (token: string) => createHash('sha256').update(token, 'utf8').digest('hex')
