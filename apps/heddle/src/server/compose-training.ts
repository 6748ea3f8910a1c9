import type { Identity } from '@heddle/identity'
import type { Outgoing } from '@heddle/outgoing'
import type { Admission, BodyBudget, FailedLogins, ProjectLimiter, RequestStats } from '@heddle/service-kit'
import { type EventOutbox, trainingEvent } from '@heddle/tracing'
import { createTrainingService, type Engine, type TrainingDeps, type TrainingService } from '@heddle/training'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { ServerMetrics } from '../metrics/server-metrics.ts'
import { trainingMetrics } from '../metrics/training-metrics.ts'
import type { Configuration } from '../settings/configuration.ts'
import type { ServerLog } from '../log/server-log.ts'
import type { Stores } from '../stores/stores.ts'
import { systemClock } from '../process/system-clock.ts'

export interface TrainingParts {
  stores: Stores
  engine: Engine
  refusedBaseModels: NonNullable<TrainingDeps['refusedBaseModels']>
  identity: Identity
  outgoing: Outgoing | undefined
  failedLogins: FailedLogins
  limiter: ProjectLimiter
  outbox: EventOutbox
  serverRoutes: NonNullable<TrainingDeps['serverRoutes']>
  logger: ServerLog
  configuration: Configuration
  admission: Admission
  requests: RequestStats
  budget: BodyBudget
  /** Undefined on a server without the tracing service. */
  recordCalls: TrainingDeps['recordCalls']
  /** True on a server without the tracing service. */
  isAlone: boolean
  metrics: Pick<ServerMetrics, 'registry'>
  telemetry: Telemetry | undefined
}

/** The one place that gives the training service what it needs. */
export function composeTraining(parts: TrainingParts): TrainingService {
  const {
    stores,
    engine,
    refusedBaseModels,
    identity,
    outgoing,
    failedLogins,
    limiter,
    outbox,
    serverRoutes,
    logger,
    configuration,
    isAlone,
  } = parts
  const { admission, requests, budget } = parts
  const { database, blobs, locks, assertDiskSpace, scratchDir } = stores
  return createTrainingService({
    database,
    blobs,
    locks,
    identity,
    engine,
    scratchDir,
    refusedBaseModels,
    // Servers on one PostgreSQL share the queue of jobs.
    sharesStore: configuration.databaseUrl !== undefined,
    assertDiskSpace,
    clock: systemClock,
    log: logger,
    traceJob: parts.telemetry?.traceJob,
    failedLogins,
    limiter,
    // On PostgreSQL the tracing service that sends them may be that of another server.
    onJobEnded: (transaction, job) => outbox.append(transaction, trainingEvent(job)),
    ...(outgoing && { outgoing }),
    limits: { maxBodyBytes: configuration.maxRequestBytes },
    trainingObserver: trainingMetrics(parts.metrics.registry),
    completionTimes: {
      loadingMs: configuration.chatLoadingSeconds * 1_000,
      stallMs: configuration.chatStallSeconds * 1_000,
      totalMs: configuration.chatTotalSeconds * 1_000,
    },
    maxImportBytes: configuration.maxCheckpointBytes,
    maxAdapterRank: configuration.trainingMaxRank,
    admission,
    requests,
    budget,
    basePath: configuration.basePath,
    isAlone,
    ...(parts.recordCalls && { recordCalls: parts.recordCalls }),
    hasOpenHealth: configuration.openHealth,
    serverRoutes,
  })
}
