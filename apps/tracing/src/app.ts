import { type Operation, tracing } from '@heddle/core-api'
import { type Caller, knownProject, sqlProjectLimitsStore } from '@heddle/identity'
import { createAdmission, createProjectLimiter, createRequestStats, mount, type MountedService, readCredential } from '@heddle/service-kit'
import { graphqlHandler } from './compatibility/graphql.ts'
import type { TracingContext } from './context.ts'
import { createResources } from './create-resources.ts'
import type { TracingDeps } from './tracing-deps.ts'

export interface TracingService extends MountedService {
  /** Ends what the service started itself; its stores stay open. */
  close(): Promise<void>
}

/** Digests of objects and rows are taken over their text as sent, lone surrogates included. */
const takesDigest: ReadonlySet<string> = new Set(['objects.create', 'tables.create', 'tables.update'])
/** Removing a label is declared a write, so that writers may do it, but it frees space. */
const freesData: ReadonlySet<string> = new Set(['objects.removeTags', 'objects.removeAliases', 'sharedTraces.delete'])
/** Retention holds for calls to come: setting it frees nothing. */
const addsData = (name: string, { effect }: Operation) =>
  (effect === 'write' && !freesData.has(name)) || name === 'projects.updateTtlSettings'

/** They must answer when the limits are reached. */
const ofLimits: ReadonlySet<string> = new Set(['projects.readLimits', 'projects.updateLimits'])

/** The tracing and evaluation service over the given stores, at the root and under `/traces`. `serviceOf` serves it, alone or beside others. */
export function createTracingService(deps: TracingDeps): TracingService {
  const { blobs, identity, log, limits } = deps
  const { admission = createAdmission(), requests = createRequestStats() } = deps
  const limiter = deps.limiter ?? limiterOf(deps)
  const { handlers, close } = createResources({ ...deps, admission, requests, limiter })
  const mounted = mount<typeof tracing, Caller, TracingContext>({
    name: 'tracing',
    resources: tracing,
    handlers,
    authenticate: (request) => identity.authenticate(readCredential(request.headers), request.signal),
    context: (caller, { operation }, { request, address, flow, charges }) => {
      const work = { caller: flow.caller, signal: request.signal, charge: charges?.charge }
      return Object.assign(identity.contextFor(caller, operation.effect, work), { address, flow })
    },
    // A million row digests take 46 MB.
    bodyLimitFactor: ({ name }) => (name === 'tables.createFromDigests' ? 2 : 1),
    json: ({ name }) => (takesDigest.has(name) ? { loneSurrogates: 'keep' } : undefined),
    stageUpload: (content) => blobs.stage(content),
    assertDiskSpace: ({ name, operation }) => (addsData(name, operation) ? deps.assertDiskSpace?.() : undefined),
    keyId: (caller) => caller.keyId,
    limiter,
    countsRequests: ({ name }) => !ofLimits.has(name),
    countsBytes: ({ name, operation }) => operation.effect === 'write' && addsData(name, operation),
    knownProject: (caller, { operation }, named) => knownProject(caller, operation.effect, named),
    projectOf: ({ params: { entity, project }, headers }) =>
      entity === undefined ? (headers.get('project_id') ?? headers.get('project-id') ?? undefined) : `${entity}/${project}`,
    prefixes: ['', '/traces'],
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
