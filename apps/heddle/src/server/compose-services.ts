import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { readDiskSpace } from '@heddle/datastore'
import { type Caller, createIdentity, type Identity, type IdentityStore } from '@heddle/identity'
import {
  type Admission,
  type BodyBudget,
  createFailedLogins,
  type FailedLogins,
  type ProjectLimiter,
  type RawRoute,
  type RequestStats,
} from '@heddle/service-kit'
import { type CostRow, createTracingService, type EventOutbox, sqlEventOutbox, type TracingService, withOwnModels } from '@heddle/tracing'
import type { Engine, RecordCalls, TrackingDocuments, TrainingService } from '@heddle/training'
import { backupRoute } from '../backup/backup-route.ts'
import { metricsRoute } from '../metrics/metrics-routes.ts'
import type { ServerMetrics } from '../metrics/server-metrics.ts'
import type { Configuration } from '../settings/configuration.ts'
import { version } from '../settings/version.ts'
import { spanWorkerEntry } from '../process/child-entries.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { ServerHealth } from '../health/server-health.ts'
import { composeTraining, type TrainingParts } from './compose-training.ts'
import type { ExternalServices } from './external-services.ts'
import type { McpRoutes } from './routes/mcp-routes.ts'
import type { ServerLog } from '../log/server-log.ts'
import { parquetExportOf } from './parquet-files.ts'
import { ownModels } from './own-models.ts'
import { recordTrainingCalls } from './record-training-calls.ts'
import { sessionRoutes } from './routes/session-routes.ts'
import { keepsAll } from '../stores/data-folder.ts'
import type { Stores } from '../stores/stores.ts'
import { serverFacts } from './server-facts.ts'
import { withBlobRemoval } from './remove-released-blobs.ts'
import { sweepBlobsAlone } from './sweep-blobs-alone.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { systemClock } from '../process/system-clock.ts'

/** Every published Python client has at least this version, and none requires a newer interface. */
const minPythonClientVersion = '0.51.0'
const traceServerVersion = '1.0.0'

export interface ServiceParts {
  stores: Stores
  store: IdentityStore
  prices: CostRow[] | undefined
  logger: ServerLog
  configuration: Configuration
  externalServices: ExternalServices
  admission: Admission
  requests: RequestStats
  budget: BodyBudget
  limiter: ProjectLimiter
  health: Pick<ServerHealth, 'whyDead' | 'readiness'>
  metrics: ServerMetrics
  /** Undefined unless the operator named a receiver. */
  telemetry: Telemetry | undefined
  mcp: McpRoutes
  trainingEngine: Engine
  refusedBaseModels: TrainingParts['refusedBaseModels']
}

/** What is of the server and not of one service. */
interface SharedParts {
  identity: Identity
  failedLogins: FailedLogins
  /** Messages to webhooks, which the tracing service sends. */
  outbox: EventOutbox
  /** Paths of the server, which the first of its services answers. */
  serverRoutes: readonly RawRoute<Caller>[]
}

/** By their names, in the order in which they are opened. */
export interface ComposedServices {
  tracing?: TracingService
  training?: TrainingService
}

/** The services that this server has. */
export function composeServices(parts: ServiceParts): ComposedServices {
  const { configuration, mcp, trainingEngine: engine } = parts
  const shared = shareParts(parts)
  const { serverRoutes } = shared
  const isAlone = configuration.only === 'training'
  const services: ComposedServices = {}
  const recordCalls: RecordCalls | undefined = isAlone ? undefined : (...call) => recordTrainingCalls(services.tracing!)(...call)
  const composeTrainer = (routes: SharedParts['serverRoutes']) =>
    withBlobRemoval(
      composeTraining({
        ...parts,
        ...shared,
        serverRoutes: routes,
        outgoing: parts.externalServices.outgoing,
        engine,
        recordCalls,
        isAlone,
      }),
      { ...parts, dataDir: configuration.dataDir },
    )
  if (isAlone) return { training: sweepBlobsAlone(composeTrainer(serverRoutes), { ...parts, clock: systemClock }).service }
  const training = configuration.only === 'tracing' ? undefined : composeTrainer([])
  const routes = [...serverRoutes, ...mcp.routes]
  const externalServices = training ? addOwnModels(parts.externalServices, training) : parts.externalServices
  services.tracing = composeTracing({
    ...parts,
    ...shared,
    externalServices,
    serverRoutes: routes,
    otherDocuments: training?.trackingDocuments,
  })
  if (training) services.training = training
  return services
}

function addOwnModels(services: ExternalServices, training: TrainingService): ExternalServices {
  return { ...services, providers: withOwnModels(services.providers, ownModels(training)) }
}

function shareParts({ stores, store, logger, configuration, health, metrics }: ServiceParts): SharedParts {
  const { analytical, database } = stores
  const { dataDir, basePath } = configuration
  const onLastUsedError = (error: unknown) => logger.warn({ err: error }, 'failed to update the last-used time of an API key')
  const identity = createIdentity({ store, clock: systemClock, onLastUsedError })
  const backup = keepsAll(configuration) ? [backupRoute({ analytical, dataDir, readRoom: readDiskSpace })] : []
  const failedLogins = createFailedLogins({ nowMs: () => performance.now(), pause: (ms) => delay(ms) })
  // Servers on one PostgreSQL share the webhooks of projects.
  const sharesStore = configuration.databaseUrl !== undefined
  const outbox = sqlEventOutbox({ database, sharesStore, clock: systemClock, log: logger })
  return {
    identity,
    failedLogins,
    outbox,
    serverRoutes: [...healthRoutes(health), metricsRoute(metrics), ...sessionRoutes({ identity, failedLogins, basePath }), ...backup],
  }
}

/** The event loop and the engine have a core each; more threads than these wait for the engine. */
const spanThreads = Math.min(4, Math.max(1, availableParallelism() - 2))

/** The one place that gives the tracing service what it needs. */
function composeTracing(parts: ServiceParts & SharedParts & { otherDocuments: TrackingDocuments | undefined }): TracingService {
  const { stores, prices, logger, configuration, externalServices, identity, failedLogins, outbox, serverRoutes } = parts
  const { admission, requests, budget, limiter } = parts
  const { analytical, database, blobs, locks, sharesStore, assertDiskSpace } = stores
  const parquetExport = parquetExportOf(configuration)
  return createTracingService({
    ...(parquetExport && { parquetExport }),
    analytical,
    database,
    blobs,
    locks,
    identity,
    sharesStore,
    assertDiskSpace,
    ...(prices && { prices }),
    ...externalServices,
    clock: systemClock,
    info: { version, minPythonClientVersion, traceServerVersion },
    server: serverFacts(configuration, externalServices),
    spans: { worker: spanWorkerEntry, threads: spanThreads },
    onSpans(spans) {
      parts.metrics.onSpans(spans)
      parts.telemetry?.onSpans(spans)
    },
    traceJob: parts.telemetry?.traceJob,
    log: logger,
    failedLogins,
    outbox,
    limiter,
    limits: { maxBodyBytes: configuration.maxRequestBytes },
    admission,
    requests,
    budget,
    serverRoutes,
    ...(parts.otherDocuments && { otherDocuments: parts.otherDocuments }),
    fillsPrompts: configuration.fillPrompts,
    publicLinks: configuration.publicLinks,
    ingest: { masksCredentials: configuration.maskCredentials, spanConflicts: configuration.spanConflicts },
  })
}
