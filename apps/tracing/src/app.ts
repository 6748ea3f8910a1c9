import { tracing } from '@heddle/core-api'
import { type Caller, knownProject, sqlProjectLimitsStore } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import { createAdmission, createProjectLimiter, createRequestStats, mount, type MountedService, readCredential } from '@heddle/service-kit'
import { graphqlHandler } from './compatibility/graphql.ts'
import type { TracingContext } from './context.ts'
import { createResources } from './create-resources.ts'
import type { RecordOwnCalls } from './records/calls/write/record-own-calls.ts'
import type { TracingDeps } from './tracing-deps.ts'
import { unservedSignals } from './views/otel/unserved-signals.ts'

export interface TracingService extends MountedService {
  /** The queue of its jobs. */
  jobs: Pick<Jobs, 'stats'>
  /** Stores calls of other services of this server. */
  recordOwnCalls: RecordOwnCalls
  /** Ends everything the service started; its stores remain open. */
  close(): Promise<void>
}

/** The tracing and evaluation service over the given stores, at the root and under `/traces`. `serviceOf` serves it, alone or with other services. */
export function createTracingService(deps: TracingDeps): TracingService {
  const { blobs, identity, log, limits } = deps
  const { admission = createAdmission(), requests = createRequestStats() } = deps
  const limiter = deps.limiter ?? limiterOf(deps)
  const { handlers, jobs, recordOwnCalls, close } = createResources({ ...deps, admission, requests, limiter })
  const mounted = mount<typeof tracing, Caller, TracingContext>({
    name: 'tracing',
    resources: tracing,
    handlers,
    authenticate: (request) => identity.authenticate(readCredential(request.headers), request.signal),
    context: (caller, { operation }, { request, address, flow, charges }) => {
      const work = { caller: flow.caller, signal: request.signal, charge: charges?.charge }
      return Object.assign(identity.contextFor(caller, operation.effect, work), { address, flow })
    },
    stageUpload: (content) => blobs.stage(content),
    assertDiskSpace: deps.assertDiskSpace,
    keyId: (caller) => caller.keyId,
    limiter,
    knownProject: (caller, { operation }, named) => knownProject(caller, operation.effect, named),
    projectOf: ({ params: { entity, project }, headers }) =>
      entity === undefined ? (headers.get('project_id') ?? headers.get('project-id') ?? undefined) : `${entity}/${project}`,
    prefixes: ['', '/traces'],
    unserved: unservedSignals,
    raw: [
      {
        name: 'compatibility.graphql',
        method: 'POST',
        path: '/graphql',
        handle: graphqlHandler({ identity, others: deps.otherDocuments }),
      },
      ...(deps.serverRoutes ?? []),
    ],
    ...(deps.failedLogins && { failedLogins: deps.failedLogins }),
    ...(log && { log }),
    ...(limits && { limits }),
    admission,
    requests,
    ...(deps.budget && { budget: deps.budget }),
  })
  return {
    ...mounted,
    jobs,
    recordOwnCalls,
    async close() {
      await close()
      if (limiter !== deps.limiter) await limiter.close()
    },
  }
}

function limiterOf({ database, sharesStore, log }: TracingDeps) {
  const onError = (error: unknown) =>
    log?.error({ err: error }, 'failed to store the bytes that projects were sent; will retry in a second')
  return createProjectLimiter({ store: sqlProjectLimitsStore(database), sharesStore, onError })
}
