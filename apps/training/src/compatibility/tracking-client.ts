import type { Caller, Identity } from '@heddle/identity'
import type { RawRoute } from '@heddle/service-kit'
import { createArtifactUploads, type ArtifactUploadsDeps } from './artifact-uploads.ts'
import { createRunDocuments, type RunDocumentsDeps } from './runs/run-documents.ts'
import { createTrackingDocuments, type TrackingDocuments } from './tracking-documents.ts'

export interface TrackingClientDeps extends ArtifactUploadsDeps, RunDocumentsDeps {
  identity: Pick<Identity, 'contextFor' | 'openForWork'>
  basePath: string | undefined
}

/** Additional endpoints that the client of a tracking service needs, besides the operations of the contract, to store training data. */
export interface TrackingClient {
  documents: TrackingDocuments
  routes: RawRoute<Caller>[]
  /** Removes upload addresses that have expired. */
  sweep(): Promise<void>
}

export function createTrackingClient(deps: TrackingClientDeps): TrackingClient {
  const uploads = createArtifactUploads(deps)
  const { identity, basePath } = deps
  return {
    documents: createTrackingDocuments({ identity, basePath, uploads, runs: createRunDocuments(deps) }),
    routes: [
      uploads.route,
      // Lines of the run's log, which this server does not keep.
      {
        name: 'compatibility.ignoreRunLog',
        method: 'POST',
        path: '/files/{entity}/{project}/{run}/file_stream',
        handle: () => Response.json({}),
      },
    ],
    sweep: () => deps.uploads.sweep(deps.clock()),
  }
}
