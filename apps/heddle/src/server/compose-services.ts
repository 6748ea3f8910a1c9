import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { readDiskSpace } from '@heddle/datastore'
import { newJobStats, sqlJobsStore } from '@heddle/jobs'
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
import {
  type CompleteHere,
  type CostRow,
  createTracingService,
  type EventOutbox,
  sqlEventOutbox,
  type TracingService,
  withOwnModels,
} from '@heddle/tracing'
import type { RecordCalls, TrackingDocuments } from '@heddle/training'
import { backupRoute } from '../backup/backup-route.ts'
import { metricsRoute } from '../metrics/metrics-routes.ts'
import type { ServerMetrics } from '../metrics/server-metrics.ts'
import type { Configuration } from '../settings/configuration.ts'
import { version } from '../settings/version.ts'
import { spanWorkerEntry } from '../process/child-entries.ts'
import { healthRoutes } from '../health/health-routes.ts'
import type { ServerHealth } from '../health/server-health.ts'
import { type TrainingOnDemand, trainingOnDemand } from './training-on-demand.ts'
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

/** The services of a server, closed in reverse order. */
export interface ComposedServices {
  tracing?: TracingService
  training?: TrainingOnDemand
}

/** The services that this server has. */
export function composeServices(parts: ServiceParts): ComposedServices {
  const { configuration, mcp } = parts
  const shared = shareParts(parts)
  const isAlone = configuration.only === 'training'
  const services: ComposedServices = {}
  const recordCalls: RecordCalls | undefined = isAlone ? undefined : (...call) => recordTrainingCalls(services.tracing!)(...call)
  if (configuration.only !== 'tracing') {
    services.training = trainingOnDemand({
      jobs: { stats: async () => ({ ...(await queuedTraining(parts)), ...newJobStats() }) },
      async load() {
        const { openTraining } = await import('./open-training.ts')
        const { outgoing } = parts.externalServices
        return openTraining({ ...parts, ...shared, serverRoutes: isAlone ? shared.serverRoutes : [], outgoing, recordCalls, isAlone })
      },
    })
  }
  if (!isAlone)
    services.tracing = composeTracing({
      ...parts,
      ...shared,
      training: services.training,
      serverRoutes: [...shared.serverRoutes, ...mcp.routes],
    })
  return services
}

const queuedTraining = ({ stores }: ServiceParts) => sqlJobsStore({ database: stores.database, queue: 'training' }).totals()

function addOwnModels(services: ExternalServices, training: TrainingOnDemand): ExternalServices {
  const complete: CompleteHere = async (...request) => ownModels((await training.open()).service)(...request)
  return { ...services, providers: withOwnModels(services.providers, complete) }
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
function composeTracing(parts: ServiceParts & SharedParts & { training: TrainingOnDemand | undefined }): TracingService {
  const { stores, prices, logger, configuration, training, identity, failedLogins, outbox, serverRoutes } = parts
  const externalServices = training ? addOwnModels(parts.externalServices, training) : parts.externalServices
  const otherDocuments: TrackingDocuments | undefined =
    training && (async (...request) => (await training.open()).service.trackingDocuments(...request))
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
    ...(otherDocuments && { otherDocuments }),
    fillsPrompts: configuration.fillPrompts,
    publicLinks: configuration.publicLinks,
    ingest: { masksCredentials: configuration.maskCredentials, spanConflicts: configuration.spanConflicts },
  })
}
