import { removeAbandonedCopies } from '../backup/abandoned-copies.ts'
import { findAbandonedDrafts } from '../backup/abandoned-drafts.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { onInvariantFailure } from '@heddle/datastore'
import { type IdentityStore, sqlIdentityStore } from '@heddle/identity'
import {
  clusterStatementLimits,
  createAdmission,
  createBodyBudget,
  createRequestStats,
  defaultBodyBudgetBytes,
  type GrpcServer,
  type RunningServer,
  serve as listen,
  serveGrpc,
  type Service,
  serviceOf,
} from '@heddle/service-kit'
import { otlpGrpcMethods } from '@heddle/tracing'
import type { ListenAddress } from '../settings/value-kinds.ts'
import { createDamageReports } from './damage/damage-reports.ts'
import { composeServices } from './compose-services.ts'
import { connectionLimits } from '../process/connection-limits.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type AdminKey, ensureAdminKey, hasUsableKey } from './start/first-start.ts'
import { openLimiter } from './open-limiter.ts'
import { readLastBackup } from '../backup/last-backup.ts'
import { listenForScrapes } from '../metrics/metrics-routes.ts'
import { withRequestMetrics } from '../metrics/request-metrics.ts'
import { createServerMetrics } from '../metrics/server-metrics.ts'
import { version } from '../settings/version.ts'
import { watchFolder } from './watch-folder.ts'
import { maxOpenFiles } from '../process/open-files.ts'
import { livePath, readyPath } from '../health/health-routes.ts'
import { watchHealth } from '../health/server-health.ts'
import type { ServerLog } from '../log/server-log.ts'
import { openExternalServices } from './external-services.ts'
import { readPrices } from '../settings/prices-file.ts'
import { isLoopback, namesOf } from '../settings/server-address.ts'
import { openStores } from '../stores/stores.ts'
import { serverFacts } from './server-facts.ts'
import { mcpRoutes } from './routes/mcp-routes.ts'
import { builtDocs, openDocs } from './routes/docs.ts'
import { builtPages, openPages } from './routes/pages.ts'
import { systemClock } from '../process/system-clock.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { openTrainingEngine } from './training-engine.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface StartedServer {
  server: RunningServer
  /** Where OTLP over gRPC is taken; undefined if it is not. */
  grpcUrl: string | undefined
  /** Where the metrics are without a key; undefined where they have no separate address. */
  metricsUrl: string | undefined
  /** Where the key of its administrator is. */
  key: AdminKey
  /** Resolves once the data folder was removed, moved or replaced: nothing that is written from then on can be found again. */
  folderLost: Promise<void>
  /**
   * From its beginning `/readyz` is 503. After the drain delay it takes no more requests, finishes those that are under way, and closes all that was opened.
   * `pause` waits for the delay.
   */
  close(pause?: (ms: number) => Promise<unknown>): Promise<void>
}

/**
 * Opens the stores, then the service over them, then the port. What has been opened is closed again when a later step fails.
 * `pagesFolder` holds the built pages.
 */
export async function startServer(
  configuration: Configuration,
  logger: ServerLog,
  pagesFolder = builtPages,
  docsFolder = builtDocs,
): Promise<StartedServer> {
  const prices = await readPrices(configuration)
  const isCluster = configuration.clickhouseUrl !== undefined
  const admission = createAdmission({ limits: isCluster ? { statements: clusterStatementLimits } : {} })
  const damage = createDamageReports(logger)
  const metrics = createServerMetrics(logger)
  const telemetry = await openTelemetry({ configuration, metrics, log: logger })
  const stores = await openStores({
    trace: telemetry?.traceStatement,
    onJournalSync: metrics.onJournalSync,
    permits: admission.statements,
    configuration,
    purpose: 'heddle serve',
    onEngineRestart: (event) => logger.warn(event, 'restarted the embedded engine'),
    onEngineSocketReopened: () => logger.warn({}, 'another program removed the socket of the embedded engine; it is open again'),
    onRefusedRows: ({ path, error }) => logger.error({ path, err: error }, 'the store rejected acknowledged rows; they are kept in a file'),
    onJournalDamage: damage.inJournal,
    onTableDamage: damage.inTables,
    onDamage: damage.met,
    onRebuild: (done, total) => logger.info({ done, total }, 'settling the traces of an older version'),
    onDeriveFailed: (error) =>
      logger.error({ err: error }, 'traces could not be settled: their totals may be out of date; run `heddle rebuild traces`'),
    onPartlyExamined: (tables) =>
      logger.warn(tables, 'examined a part of the relational database, which is large; heddle doctor examines all'),
  })
  const stopReporting = onInvariantFailure((error) => logger.error({ err: error }, 'an invariant does not hold; nothing of it was stored'))
  const closers = [async () => metrics.close(), async () => telemetry?.close(), async () => stopReporting(), () => stores.close()]
  const closeAll = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    for (const path of await findAbandonedDrafts(configuration.dataDir))
      logger.warn({ path }, 'a restore that was killed left this folder; remove it')
    const copies = removeAbandonedCopies({
      dataDir: configuration.dataDir,
      onError: (error) => logger.error({ err: error }, 'failed to remove copies that a killed backup left; will retry in an hour'),
    })
    closers.push(() => copies.close())
    const store = sqlIdentityStore(stores.database)
    const key = await ensureAdminKey({ store, dataDir: configuration.dataDir, apiKey: configuration.apiKey, clock: systemClock })
    await checkReach(configuration, store)
    const externalServices = await openExternalServices(configuration, logger)
    const requests = withRequestMetrics({ ...createRequestStats(), trace: telemetry?.traceRequest }, metrics.registry)
    const budget = createBodyBudget(bodyBudgetBytes(configuration))
    const limiter = openLimiter({ stores, configuration, logger })
    closers.push(() => limiter.close())
    const folder = watchFolder(stores)
    closers.push(async () => folder.stop())
    const health = watchHealth({ stores, log: logger })
    if (configuration.blobsUrl !== undefined) health.watchContents(stores.blobs)
    health.readiness.note('damage', damage.summary)
    closers.push(async () => health.stop())
    const mcp = mcpRoutes({ service: () => service, log: logger })
    const { engine: trainingEngine, refusedBaseModels } = await openTrainingEngine({
      configuration,
      logger,
      outgoing: externalServices.outgoing,
    })
    closers.push(() => trainingEngine.close())
    if (configuration.only !== 'tracing') health.watchModelEngine(trainingEngine, { isNeeded: configuration.only === 'training' })
    const services = composeServices({
      stores,
      store,
      prices,
      logger,
      configuration,
      externalServices,
      admission,
      requests,
      budget,
      limiter,
      health,
      metrics,
      telemetry,
      mcp,
      trainingEngine,
      refusedBaseModels,
    })
    const opened = Object.values(services)
    closers.push(...opened.map((each) => () => each.close()))
    const pages = await openPages({ folder: pagesFolder, log: logger, basePath: configuration.basePath })
    const docs = await openDocs({ folder: docsFolder, log: logger, basePath: configuration.basePath })
    const service = serviceOf([...opened, docs, pages], { log: logger, requests })
    const hosts = namesOf(configuration)
    const scrapes = configuration.metricsAddress && (await listenForScrapes(configuration.metricsAddress, metrics))
    if (scrapes) closers.push(() => scrapes.close())
    const server = await listen({
      ...service,
      admission,
      host: configuration.host,
      port: configuration.port,
      basePath: configuration.basePath,
      limits: { ...connectionLimits(maxOpenFiles()), drainMs: configuration.drainLimitSeconds * 1_000 },
      pathsWhileClosing: [livePath, readyPath],
      ...(hosts && { hosts }),
      onRefused: metrics.onRefused,
    })
    closers.push(
      () => server.close(),
      () => mcp.close(),
    )
    const grpc = configuration.otlpGrpcAddress && (await listenForOtlp(configuration.otlpGrpcAddress, service))
    if (grpc) closers.push(() => grpc.close())
    metrics.watch({
      version,
      ...stores,
      readiness: health.readiness,
      admission,
      refusedConnections: () => server.refusedConnections + (grpc?.refusedConnections ?? 0),
      jobs: Object.fromEntries(Object.entries(services).map(([name, { jobs }]) => [name, jobs])),
      readDisk: () => serverFacts(configuration, externalServices).readDisk(),
      readLastBackup: () => readLastBackup(configuration.dataDir),
      clock: systemClock,
    })
    const close = async (pause: (ms: number) => Promise<unknown> = delay) => {
      health.stop()
      if (configuration.drainDelaySeconds > 0) await pause(configuration.drainDelaySeconds * 1_000)
      await closeAll()
    }
    return { server, grpcUrl: grpc && `http://${grpc.host}:${grpc.port}`, metricsUrl: scrapes?.url, key, folderLost: folder.lost, close }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** @throws UsageError if the address cannot be used */
async function listenForOtlp({ host, port }: ListenAddress, { fetch }: Service): Promise<GrpcServer> {
  return serveGrpc({ host, port, methods: otlpGrpcMethods, fetch, limits: connectionLimits(maxOpenFiles()) }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`cannot listen for OTLP over gRPC on ${host}:${port} (${reason}): free the port, or set HEDDLE_OTLP_GRPC_ADDRESS`)
  })
}

/** Several of the largest requests fit into memory, packed and unpacked. */
function bodyBudgetBytes({ maxRequestBytes }: Configuration): number {
  return Math.max(defaultBodyBudgetBytes, 4 * maxRequestBytes)
}

/** A server that others can reach must have a key that keeps them out. */
async function checkReach({ host }: Configuration, store: IdentityStore): Promise<void> {
  if (isLoopback(host) || (await hasUsableKey({ store, clock: systemClock }))) return
  throw new UsageError(
    `refusing to listen on ${host} without a usable API key, since other machines can reach it; create one with \`heddle keys create --name admin --role admin\`, or listen on 127.0.0.1`,
  )
}
