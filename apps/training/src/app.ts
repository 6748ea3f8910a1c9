import { training } from '@heddle/core-api'
import { type Caller, type Context, knownProject } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import { mount, type MountedService, type RawRoute, readCredential } from '@heddle/service-kit'
import { type TrackingDocuments, trackingDocumentsHandler } from './compatibility/tracking-documents.ts'
import { createResources, defaultImportBytes } from './create-resources.ts'
import type { CompleteFor } from './resources/chat-completions/complete-for.ts'
import { trainingErrorBody, trainingRequestIdHeader } from './error-body.ts'
import type { TrainingDeps } from './training-deps.ts'
import { unservedRoutes } from './unserved-routes.ts'

export interface TrainingService extends MountedService {
  /** Answers documents of a tracking client that the tracing service does not know. */
  trackingDocuments: TrackingDocuments
  /** Creates a chat completion for work of the server, from base models and the models of one project. @throws ApiError as the operation does */
  complete: CompleteFor
  /** The queue of its jobs. */
  jobs: Pick<Jobs, 'stats'>
  /** Ends the jobs running here, to be resumed by the next server, and everything the service started; its stores and engine remain open. */
  close(): Promise<void>
}

/** What an operator raises where larger weights are to be imported. */
const importSetting = 'HEDDLE_MAX_CHECKPOINT_BYTES'

/** The training service over the given stores and engine. `serviceOf` serves it, alone or with other services. */
export function createTrainingService(deps: TrainingDeps): TrainingService {
  const { blobs, identity, log, limits } = deps
  const { handlers, trackingClient, complete, jobs, close } = createResources(deps)
  const { documents, routes } = trackingClient
  const mounted = mount<typeof training, Caller, Context>({
    name: 'training',
    resources: deps.hasOpenHealth ? withOpenHealth : training,
    handlers,
    authenticate: (request) => identity.authenticate(readCredential(request.headers)),
    context: (caller, { operation }, { request, flow, charges }) =>
      identity.contextFor(caller, operation.effect, { caller: flow.caller, signal: request.signal, charge: charges?.charge }),
    looseSlashes: ['/v1/'],
    errorBody: trainingErrorBody,
    requestIdHeader: trainingRequestIdHeader,
    unserved: unservedRoutes,
    stageUpload: (content) => blobs.stage(content),
    assertDiskSpace: deps.assertDiskSpace,
    keyId: (caller) => caller.keyId,
    knownProject: (caller, { operation }, named) => knownProject(caller, operation.effect, named),
    ...(deps.limiter && { limiter: deps.limiter }),
    stagedLimit: ({ name }) =>
      name === 'checkpoints.import'
        ? { maxStagedBytes: deps.maxImportBytes ?? defaultImportBytes, stagedSetting: importSetting }
        : undefined,
    raw: [...routes, ...(deps.isAlone ? [graphqlRoute(documents)] : []), ...(deps.serverRoutes ?? [])],
    ...(deps.failedLogins && { failedLogins: deps.failedLogins }),
    ...(log && { log }),
    ...(deps.requests && { requests: deps.requests }),
    ...(limits && { limits }),
    ...(deps.admission && { admission: deps.admission }),
    ...(deps.budget && { budget: deps.budget }),
  })
  return { ...mounted, trackingDocuments: documents, complete, jobs, close }
}

const graphqlRoute = (documents: TrackingDocuments): RawRoute<Caller> => ({
  name: 'compatibility.graphql',
  method: 'POST',
  path: '/graphql',
  handle: trackingDocumentsHandler(documents),
})

const withOpenHealth: typeof training = {
  ...training,
  health: { ...training.health, check: { ...training.health.check, open: true } as typeof training.health.check },
}
