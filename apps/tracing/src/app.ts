import { type Operation, tracing } from '@heddle/core-api'
import type { Caller } from '@heddle/identity'
import { createOutgoing, type Outgoing, parseAllowedTargets } from '@heddle/outgoing'
import {
  type Admission,
  type BodyBudget,
  type FailedLogins,
  mount,
  type MountedService,
  type RawRoute,
  readCredential,
  type RequestLimits,
  type ServiceLog,
} from '@heddle/service-kit'
import { v7 as newUuid } from 'uuid'
import { graphqlHandler } from './compatibility/graphql.ts'
import type { TracingContext } from './context.ts'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import { repeatSweep } from './repeat-sweep.ts'
import { createScoring } from './scoring/scoring.ts'
import { systemTiming } from '@heddle/datastore'
import { startTombstoneSweeper } from './tombstone-sweeper.ts'
import { createEvaluationCalls } from './evaluation-calls/evaluation-calls.ts'
import type { ConflictRule } from './otlp/expand-attributes.ts'
import { createSourceFiles } from './object-collection/source-files.ts'
import { maskSecrets } from './payload/mask-secrets.ts'
import { sqlProjectNamesStore } from './payload/project-names-store.sql.ts'
import { createRefProjects } from './payload/ref-projects.ts'
import type { Platform, PlatformDeps } from './platform.ts'
import { createModelProviders, type ModelProviders } from './providers/model-providers.ts'
import { createAnnotationQueues } from './resources/annotation-queues/annotation-queues.ts'
import { createCalls } from './resources/calls/calls.ts'
import type { WriteContext } from './resources/calls/write/call-input.ts'
import type { CostRow } from './resources/costs/cost-row.ts'
import { createCosts } from './resources/costs/costs.ts'
import { defaultPrices } from './resources/costs/default-prices.ts'
import { createDatasets } from './resources/datasets/datasets.ts'
import { createEvaluationRuns } from './resources/evaluation-runs/evaluation-runs.ts'
import { createEvalResults } from './resources/eval-results/eval-results.ts'
import { createEvaluations } from './resources/evaluations/evaluations.ts'
import { createFeedback } from './resources/feedback/feedback.ts'
import { createFiles } from './resources/files/files.ts'
import { createImages } from './resources/images/images.ts'
import { type Catalogue, emptyCatalogue } from './resources/inference/catalogue.ts'
import { inferenceHandlers } from './resources/inference/inference-handlers.ts'
import { createModels } from './resources/models/models.ts'
import { createObjects } from './resources/objects/objects.ts'
import { createOps } from './resources/ops/ops.ts'
import { createOtel } from './resources/otel/otel.ts'
import type { SpanPreparerOptions } from './resources/otel/span-preparer.ts'
import { createPredictions } from './resources/predictions/predictions.ts'
import { projectsHandlers } from './resources/projects/projects-handlers.ts'
import { createRetention } from './resources/projects/retention.ts'
import { sqlRetentionStore } from './resources/projects/retention-store.sql.ts'
import { createRefs } from './resources/refs/refs.ts'
import { createRegistry } from './resources/registry/registry.ts'
import { createScorers } from './resources/scorers/scorers.ts'
import { createScores } from './resources/scores/scores.ts'
import { serviceHandlers, type ServiceInfo } from './resources/service/service-handlers.ts'
import { serviceStatsRoute } from './resources/service/service-stats.ts'
import { createTables } from './resources/tables/tables.ts'
import { createThreads } from './resources/threads/threads.ts'

/** What an operator decides about data that comes in. */
export interface IngestRules {
  /** Texts under names of credentials are stored as `REDACTED` in inputs, attributes and raw spans. */
  masksCredentials: boolean
  /** What becomes of a span in which one attribute is a value and the parent of another. */
  spanConflicts: ConflictRule
}

const defaultIngestRules: IngestRules = { masksCredentials: true, spanConflicts: 'keep' }

export interface TracingDeps extends PlatformDeps {
  info: ServiceInfo
  ingest?: IngestRules
  /** Prices of models that no project has to make itself; those that come with the server where it is absent. */
  prices?: readonly CostRow[]
  /** Who runs models for this server. Default: nobody. */
  providers?: ModelProviders
  /** How this server sends requests to others. Default: to addresses of the public internet alone. */
  outgoing?: Outgoing
  /** Models that the listings show. Default: none. */
  catalogue?: Catalogue
  /** Name of the queue of jobs in the database. Default `tracing`. */
  jobQueue?: string
  /** How spans are prepared; without a worker on the event loop. */
  spans: SpanPreparerOptions
  log?: ServiceLog
  failedLogins?: FailedLogins
  limits?: Partial<RequestLimits>
  /** Which requests run and which wait. Default: one of this service alone. */
  admission?: Admission
  /** Memory for the bodies of requests. Default: one of this service alone. */
  budget?: BodyBudget
  /** Paths of the server that are not part of the contract. They authorise their callers themselves. Default: none. */
  serverRoutes?: readonly RawRoute<Caller>[]
  /** Rejects while the disk is too full for more data. Default: only the checks of the stores themselves apply. */
  assertDiskSpace?: () => Promise<void>
}

export interface TracingService extends MountedService {
  /** Ends what the service started itself; its stores stay open. */
  close(): Promise<void>
}

/** Digests of objects and rows are taken over their text as sent, lone surrogates included. */
const takesDigest: ReadonlySet<string> = new Set(['objects.create', 'tables.create', 'tables.update'])
/** Removing a label is declared a write, so that writers may do it, but it frees space. */
const freesData: ReadonlySet<string> = new Set(['objects.removeTags', 'objects.removeAliases'])
/** Retention holds for calls to come: setting it frees nothing. */
const addsData = (name: string, { effect }: Operation) =>
  (effect === 'write' && !freesData.has(name)) || name === 'projects.updateTtlSettings'

/** The tracing and evaluation service over the given stores, at the root and under `/traces`. `serviceOf` serves it, alone or beside others. */
export function createTracingService(deps: TracingDeps): TracingService {
  const { blobs, identity, log, limits } = deps
  const { handlers, cacheStats, close } = createResources(deps)
  const mounted = mount<typeof tracing, Caller, TracingContext>({
    name: 'tracing',
    resources: tracing,
    handlers,
    authenticate: (request) => identity.authenticate(readCredential(request.headers)),
    context: (caller, { operation }, { request, address, flow }) => {
      const work = { caller: flow.caller, signal: request.signal }
      return Object.assign(identity.contextFor(caller, operation.effect, work), { address, flow })
    },
    // A million row digests take 46 MB.
    bodyLimitFactor: ({ name }) => (name === 'tables.createFromDigests' ? 2 : 1),
    json: ({ name }) => (takesDigest.has(name) ? { loneSurrogates: 'keep' } : undefined),
    stageUpload: (content) => blobs.stage(content),
    assertDiskSpace: ({ name, operation }) => (addsData(name, operation) ? deps.assertDiskSpace?.() : undefined),
    keyId: (caller) => caller.keyId,
    projectOf: ({ params: { entity, project }, headers }) =>
      entity === undefined ? (headers.get('project_id') ?? headers.get('project-id') ?? undefined) : `${entity}/${project}`,
    prefixes: ['', '/traces'],
    raw: [
      { name: 'compatibility.graphql', method: 'POST', path: '/graphql', handle: graphqlHandler({ identity }) },
      ...(deps.serverRoutes ?? []),
      serviceStatsRoute(() => ({ caches: cacheStats() })),
    ],
    ...(deps.failedLogins && { failedLogins: deps.failedLogins }),
    ...(log && { log }),
    ...(limits && { limits }),
    ...(deps.admission && { admission: deps.admission }),
    ...(deps.budget && { budget: deps.budget }),
  })
  return { ...mounted, close }
}

/** All resources, each after those whose records it reads: records first, then views over them and gateways to them. */
function createResources(deps: TracingDeps) {
  const { masksCredentials, spanConflicts } = deps.ingest ?? defaultIngestRules
  const platform = toPlatform(deps)
  const retention = createRetention({ store: sqlRetentionStore(deps.database), clock: deps.clock })

  const files = createFiles(platform)
  const objects = createObjects(platform, files)
  const tables = createTables(platform)
  const refs = createRefs(platform, { ...objects, ...tables })
  const costs = createCosts(platform, { defaults: deps.prices ?? defaultPrices })
  const annotationQueues = createAnnotationQueues(platform)
  const feedback = createFeedback(platform, { ...refs, ...annotationQueues })
  const mask: WriteContext['mask'] = masksCredentials ? maskSecrets : (payload) => payload
  const calls = createCalls(platform, { ...refs, ...costs, ...feedback, ...annotationQueues, retention, mask })

  const sources = createSourceFiles({ ...files, clock: deps.clock })
  const collections = { ...platform, ...objects }
  const ops = createOps(collections, { sources })
  const datasets = createDatasets(collections, tables)
  const scorers = createScorers(collections, { sources, ...objects })
  const models = createModels(collections, { sources })
  const providers = deps.providers ?? createModelProviders([], undefined)
  const outgoing = deps.outgoing ?? createOutgoing({ allowed: parseAllowedTargets([]) })
  const scoring = createScoring({ ...refs, ...feedback, providers, outgoing })
  const evaluationCalls = createEvaluationCalls(platform, { ...calls, ...objects, mask })
  const evaluations = createEvaluations(collections, { ...objects, ...calls, ...tables, ...refs, evaluationCalls, scoring, providers })
  const evaluationRuns = createEvaluationRuns(platform, evaluationCalls)
  const predictions = createPredictions(platform, evaluationCalls)
  const scores = createScores(platform, { ...objects, ...feedback, evaluationCalls, scoring, providers })
  const evalResults = createEvalResults(platform, { calls: calls.store, tableRows: tables.rows, ...costs })
  const threads = createThreads(platform)
  const registry = createRegistry(platform, objects)
  const otel = createOtel({
    spans: deps.spans,
    options: { conflicts: spanConflicts, maskSecrets: masksCredentials },
    ensureOps: objects.ensureOps,
    writer: calls.writer,
  })
  const images = createImages(platform, {
    providers,
    outgoing,
    writer: calls.writer,
  })
  const sweeper = startTombstoneSweeper({
    analytical: deps.analytical,
    onError: (error) => deps.log?.error({ err: error }, 'failed to purge deleted calls and feedback; will retry on next sweep'),
  })

  const jobSweeper = repeatSweep((signal) => platform.jobs.sweep(signal), {
    onError: (error) => deps.log?.error({ err: error }, 'failed to remove finished jobs; will retry on next sweep'),
  })
  const openProject = (projectId: string, signal: AbortSignal) => deps.identity.openForWork(projectId, { caller: 'jobs', signal })
  const kinds = { ...evaluations.jobKinds, ...scores.jobKinds }
  const worker = providers.hasAny
    ? platform.jobs.startWorker({ kinds, concurrency: jobsAtOnce, timeLimitMs: jobLimitMs, openProject, isOnlyServer: !deps.sharesStore })
    : undefined

  return {
    handlers: {
      annotationQueues: annotationQueues.handlers,
      calls: calls.handlers,
      feedback: feedback.handlers,
      costs: costs.handlers,
      files: files.handlers,
      objects: objects.handlers,
      tables: tables.handlers,
      refs: refs.handlers,
      registry: registry.handlers,
      threads: threads.handlers,
      ops: ops.handlers,
      datasets: datasets.handlers,
      scorers: scorers.handlers,
      models: models.handlers,
      evaluations: evaluations.handlers,
      evaluationRuns: evaluationRuns.handlers,
      predictions: predictions.handlers,
      scores: scores.handlers,
      evalResults: evalResults.handlers,
      otel: otel.handlers,
      images: images.handlers,
      inference: inferenceHandlers({ catalogue: deps.catalogue ?? emptyCatalogue }),
      projects: projectsHandlers({ retention, calls: calls.store, objects: objects.objects, files: files.files, tables: tables.rows }),
      service: serviceHandlers(deps.info),
    },
    cacheStats: calls.cacheStats,
    async close() {
      await worker?.stop()
      for (const started of [files, objects, sweeper, otel, jobSweeper]) await started.close()
    },
  }
}

/** Jobs that this server runs at the same time. */
const jobsAtOnce = 8
/** Of one attempt. */
const jobLimitMs = 24 * 3_600_000

const noLog: ServiceLog = { info: () => undefined, error: () => undefined }

function toPlatform({ analytical, database, blobs, locks, identity, sharesStore, clock, jobQueue, log }: TracingDeps): Platform {
  const refProjects = createRefProjects({ identity, names: sqlProjectNamesStore(database) })
  const store = sqlJobsStore({ database, queue: jobQueue ?? 'tracing' })
  const jobs = createJobs({ store, clock, timing: systemTiming, newId: newUuid, log: log ?? noLog })
  return { jobs, analytical, database, blobs, locks, identity, sharesStore, clock, newId: newUuid, refProjects, log }
}
