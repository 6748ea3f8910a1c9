import { type Operation, tracing } from '@heddle/core-api'
import type { Analytical, Blobs, Database, KeyedLock, Micros } from '@heddle/datastore'
import type { Caller, Identity } from '@heddle/identity'
import { createOutgoing, type Outgoing, parseAllowedTargets } from '@heddle/outgoing'
import {
  type Admission,
  type FailedLogins,
  mount,
  type RawRoute,
  readCredential,
  type RequestLimits,
  type Service,
  type ServiceLog,
} from '@heddle/service-kit'
import { v7 as newUuid } from 'uuid'
import { graphqlHandler } from './compatibility/graphql.ts'
import type { TracingContext } from './context.ts'
import { startEndedRowsSweeper } from './ended-rows-sweeper.ts'
import type { ConflictRule } from './otlp/expand-attributes.ts'
import { maskSecrets } from './payload/mask-secrets.ts'
import { createRefProjects } from './payload/ref-projects.ts'
import { sqlProjectNamesStore } from './payload/project-names-store.sql.ts'
import { createAskProvider } from './providers/ask-provider.ts'
import { createModelProviders, type ModelProviders } from './providers/model-providers.ts'
import { cachedPages } from './resources/calls/cached-pages.ts'
import { callsHandlers } from './resources/calls/calls-handlers.ts'
import { localMemory, noMemory } from './resources/calls/calls-memory.ts'
import { sqlCallsStatsStore } from './resources/calls/calls-stats-store.sql.ts'
import { sqlCallsStore } from './resources/calls/calls-store.sql.ts'
import { createCallsWriter } from './resources/calls/calls-writer.ts'
import { createHybridClock } from './resources/calls/hybrid-clock.ts'
import { startBlobSweeper } from './resources/files/blob-sweeper.ts'
import { feedbackHandlers } from './resources/feedback/feedback-handlers.ts'
import { sqlFeedbackStatsStore } from './resources/feedback/feedback-stats-store.sql.ts'
import { sqlFeedbackStore } from './resources/feedback/feedback-store.sql.ts'
import { createFeedbackWriter } from './resources/feedback/feedback-writer.ts'
import { createBeginFeedback } from './resources/feedback/prepare-feedback.ts'
import { createSchemaChecks } from './resources/feedback/schema-mismatch.ts'
import { filesHandlers } from './resources/files/files-handlers.ts'
import { sqlFilesStore } from './resources/files/files-store.sql.ts'
import { costsHandlers } from './resources/costs/costs-handlers.ts'
import { sqlCostsStore } from './resources/costs/costs-store.sql.ts'
import type { CostRow } from './resources/costs/cost-row.ts'
import { defaultPrices } from './resources/costs/default-prices.ts'
import { createPrices } from './resources/costs/prices.ts'
import { imagesHandlers } from './resources/images/images-handlers.ts'
import { type Catalogue, emptyCatalogue } from './resources/inference/catalogue.ts'
import { inferenceHandlers } from './resources/inference/inference-handlers.ts'
import { cachedObjectValues } from './resources/objects/cached-object-values.ts'
import { createDeletedVersions } from './resources/objects/deleted-versions.ts'
import { createEnsureOps } from './resources/objects/ensure-ops.ts'
import { createFindTables } from './resources/objects/find-tables.ts'
import { sqlObjectLabelsStore } from './resources/objects/object-labels-store.sql.ts'
import { sqlObjectValuesStore } from './resources/objects/object-values-store.sql.ts'
import { objectsHandlers } from './resources/objects/objects-handlers.ts'
import { sqlObjectsStore } from './resources/objects/objects-store.sql.ts'
import { createPresentVersions } from './resources/objects/present-versions.ts'
import { createObjectPublisher } from './resources/objects/publish-object.ts'
import { createResolveRefs } from './resources/objects/resolve-refs.ts'
import { startValueSweeper } from './resources/objects/value-sweeper.ts'
import { otelHandlers } from './resources/otel/otel-handlers.ts'
import { createSpanPreparer, type SpanPreparerOptions } from './resources/otel/span-preparer.ts'
import { registryHandlers } from './resources/registry/registry-handlers.ts'
import { sqlRegistryStore } from './resources/registry/registry-store.sql.ts'
import { refsHandlers } from './resources/refs/refs-handlers.ts'
import { projectsHandlers } from './resources/projects/projects-handlers.ts'
import { createRetention } from './resources/projects/retention.ts'
import { sqlRetentionStore } from './resources/projects/retention-store.sql.ts'
import { serviceHandlers, type ServiceInfo } from './resources/service/service-handlers.ts'
import { sqlTableRowsStore } from './resources/tables/table-rows-store.sql.ts'
import { tablesHandlers } from './resources/tables/tables-handlers.ts'
import { sqlTablesStore } from './resources/tables/tables-store.sql.ts'
import { threadsHandlers } from './resources/threads/threads-handlers.ts'
import { sqlThreadsStore } from './resources/threads/threads-store.sql.ts'

/** What an operator decides about data that comes in. */
export interface IngestRules {
  /** Texts under names of credentials are stored as `REDACTED` in inputs, attributes and raw spans. */
  masksCredentials: boolean
  /** What becomes of a span in which one attribute is a value and the parent of another. */
  spanConflicts: ConflictRule
}

const defaultIngestRules: IngestRules = { masksCredentials: true, spanConflicts: 'keep' }

export interface TracingDeps {
  analytical: Analytical
  database: Database
  blobs: Blobs
  locks: KeyedLock
  identity: Identity
  /** True when other servers write to the same stores: then nothing is remembered that one of them may change. */
  sharesStore: boolean
  clock: () => Micros
  info: ServiceInfo
  ingest?: IngestRules
  /** Prices of models that no project has to make itself; those that come with the server where it is absent. */
  prices?: readonly CostRow[]
  /** Who runs models for this server. Default: nobody. */
  providers?: ModelProviders
  /** How this server asks others. Default: only what is on the public internet. */
  outgoing?: Outgoing
  /** Models that the listings show. Default: none. */
  catalogue?: Catalogue
  /** How spans are prepared; without a worker on the event loop. */
  spans: SpanPreparerOptions
  log?: ServiceLog
  failedLogins?: FailedLogins
  limits?: Partial<RequestLimits>
  /** Which requests are worked on and which wait. Default: one of this service alone. */
  admission?: Admission
  /** Paths for whoever runs the server, which are no part of the contract. They check themselves who may use them. Default: none. */
  operatorRoutes?: readonly RawRoute<Caller>[]
  /** Rejects while the stores have no room for more data. Default: only what a store finds itself is refused. */
  assertRoom?: () => Promise<void>
}

export interface TracingService extends Service {
  /** Ends what the service started itself; its stores stay open. */
  close(): Promise<void>
}

/** Digests of objects and rows are taken over their text as sent, lone surrogates included. */
const takesDigest: ReadonlySet<string> = new Set(['objects.create', 'tables.create', 'tables.update'])
/** Retention holds for calls to come: setting it frees nothing. */
const addsData = (name: string, { effect }: Operation) => effect === 'write' || name === 'projects.updateTtlSettings'
const noProviders = createModelProviders([], undefined)
const objectCacheBytes = 64 * 1024 * 1024
const callCacheBytes = 64 * 1024 * 1024
const openCallsBytes = 64 * 1024 * 1024

/** The tracing and evaluation service over the given stores, at the root and under `/traces`. */
export function createTracingService(deps: TracingDeps): TracingService {
  const { analytical, database, blobs, clock, identity, log, limits } = deps
  const { masksCredentials, spanConflicts } = deps.ingest ?? defaultIngestRules
  const mask = masksCredentials ? maskSecrets : <T>(payload: T) => payload
  const refProjects = createRefProjects({ identity, names: sqlProjectNamesStore(database) })
  const objects = sqlObjectsStore(database)
  const values = cachedObjectValues(sqlObjectValuesStore(analytical, clock), { maxBytes: objectCacheBytes, clock })
  const labels = sqlObjectLabelsStore(database)
  const files = sqlFilesStore({ database, blobs, locks: deps.locks })
  const blobSweeper = startBlobSweeper({
    files,
    blobs,
    locks: deps.locks,
    clock,
    onError: (error) => log?.error({ err: error }, 'what uploads left behind could not be removed; the next sweep tries again'),
  })
  const valueSweeper = startValueSweeper({
    objects,
    values,
    clock,
    onError: (error) => log?.error({ err: error }, 'values that no version names could not be removed; the next sweep tries again'),
  })
  const endedRowsSweeper = startEndedRowsSweeper({
    analytical,
    onError: (error) => log?.error({ err: error }, 'what deleted calls and feedback held could not be removed; the next sweep tries again'),
  })
  const tables = sqlTablesStore(analytical, clock)
  const rows = sqlTableRowsStore(analytical, clock)
  const resolveRefs = createResolveRefs({ objects, values, tables, rows })
  const publisher = createObjectPublisher({ objects, values, clock })
  const storedCalls = sqlCallsStore({
    analytical,
    sharesStore: deps.sharesStore,
    clock,
    deletedVersions: createDeletedVersions(objects),
    findTables: createFindTables(resolveRefs),
  })
  const store = cachedPages(storedCalls, { maxBytes: callCacheBytes, clock })
  const memory = deps.sharesStore
    ? noMemory
    : localMemory({
        stored: store.storedIds(),
        maxBytes: openCallsBytes,
        onError: (error) => log?.error({ err: error }, 'the ids of stored calls could not be read; writes look each call up'),
      })
  const retention = createRetention({ store: sqlRetentionStore(database), clock })
  const writer = createCallsWriter({ store, locks: deps.locks, clock: createHybridClock(clock), memory, retention })
  const costs = sqlCostsStore({ database, analytical })
  const preparer = createSpanPreparer(deps.spans)
  const feedback = sqlFeedbackStore(analytical)
  const service = mount<typeof tracing, Caller, TracingContext>({
    resources: tracing,
    handlers: {
      calls: callsHandlers({
        store,
        statsStore: sqlCallsStatsStore(analytical),
        writer,
        prices: createPrices({ costs, defaults: deps.prices ?? defaultPrices }),
        mask,
        resolveRefs,
        feedback,
        refProjects,
        clock,
      }),
      feedback: feedbackHandlers({
        store: feedback,
        statsStore: sqlFeedbackStatsStore(analytical),
        writer: createFeedbackWriter({ store: feedback, locks: deps.locks, clock, newId: () => newUuid() }),
        begin: createBeginFeedback({
          resolveRefs,
          beginSchemaChecks: createSchemaChecks(),
          // There are no annotation queues yet, so a queue that is named is an unknown one.
          hasQueue: async () => false,
        }),
        refProjects,
        clock,
      }),
      costs: costsHandlers({ store: costs, locks: deps.locks, clock, newId: newUuid }),
      files: filesHandlers({ files, clock }),
      objects: objectsHandlers({
        objects,
        labels,
        publisher,
        presentVersions: createPresentVersions({ values, labels }),
        refProjects,
        clock,
      }),
      images: imagesHandlers({
        providers: deps.providers ?? noProviders,
        ask: createAskProvider(deps.outgoing ?? createOutgoing({ allowed: parseAllowedTargets([]) })),
        writer,
        clock,
        newId: newUuid,
        onUntracked: (error) => log?.error({ err: error }, 'images were made, and their call could not be recorded'),
      }),
      inference: inferenceHandlers({ catalogue: deps.catalogue ?? emptyCatalogue }),
      otel: otelHandlers({
        preparer,
        writer,
        ensureOps: createEnsureOps({ objects, values, files, clock }),
        options: { conflicts: spanConflicts, maskSecrets: masksCredentials },
      }),
      registry: registryHandlers({ registry: sqlRegistryStore(database), objects, refProjects, clock }),
      refs: refsHandlers({ resolveRefs, refProjects }),
      projects: projectsHandlers({ retention, calls: store, objects, files, tables: rows }),
      service: serviceHandlers(deps.info),
      tables: tablesHandlers({ tables, rows, refProjects }),
      threads: threadsHandlers({ store: sqlThreadsStore(analytical, clock) }),
    },
    authenticate: (request) => identity.authenticate(readCredential(request.headers)),
    context: (caller, { operation }, { address, flow }) => Object.assign(identity.contextFor(caller, operation.effect), { address, flow }),
    // A million row digests take 46 MB.
    bodyLimitFactor: ({ name }) => (name === 'tables.createFromDigests' ? 2 : 1),
    json: ({ name }) => (takesDigest.has(name) ? { loneSurrogates: 'keep' } : undefined),
    holdPart: (content) => blobs.stage(content),
    assertRoom: ({ name, operation }) => (addsData(name, operation) ? deps.assertRoom?.() : undefined),
    keyId: (caller) => caller.keyId,
    projectOf: ({ params: { entity, project }, headers }) =>
      entity === undefined ? (headers.get('project_id') ?? headers.get('project-id') ?? undefined) : `${entity}/${project}`,
    prefixes: ['', '/traces'],
    raw: [
      { name: 'compatibility.graphql', method: 'POST', path: '/graphql', handle: graphqlHandler({ identity }) },
      ...(deps.operatorRoutes ?? []),
    ],
    ...(deps.failedLogins && { failedLogins: deps.failedLogins }),
    ...(log && { log }),
    ...(limits && { limits }),
    ...(deps.admission && { admission: deps.admission }),
  })
  return {
    fetch: service.fetch,
    async close() {
      await blobSweeper.close()
      await valueSweeper.close()
      await endedRowsSweeper.close()
      await preparer.close()
    },
  }
}
