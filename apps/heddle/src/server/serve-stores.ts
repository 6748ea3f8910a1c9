import { removeAbandonedCopies } from '../backup/abandoned-copies.ts'
import { findAbandonedDrafts } from '../backup/abandoned-drafts.ts'
import { type IdentityStore, sqlIdentityStore } from '@heddle/identity'
import {
  type Admission,
  createBodyBudget,
  createRequestStats,
  defaultBodyBudgetBytes,
  type GrpcServer,
  type LaterServices,
  type MountedService,
  type RunningServer,
  serve as listen,
  serveGrpc,
  type Service,
  serviceOf,
} from '@heddle/service-kit'
import { type CostRow, otlpGrpcMethods } from '@heddle/tracing'
import type { ListenAddress } from '../settings/value-kinds.ts'
import { composeServices } from './compose-services.ts'
import { connectionLimits } from '../process/connection-limits.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type AdminKey, ensureAdminKey, hasUsableKey } from './start/first-start.ts'
import { openLimiter } from './open-limiter.ts'
import { readLastBackup } from '../backup/last-backup.ts'
import { listenForScrapes } from '../metrics/metrics-routes.ts'
import { withRequestMetrics } from '../metrics/request-metrics.ts'
import { version } from '../settings/version.ts'
import { watchFolder } from './watch-folder.ts'
import { maxOpenFiles } from '../process/open-files.ts'
import { livePath, readyPath } from '../health/health-routes.ts'
import { type ServerHealth, watchHealth } from '../health/server-health.ts'
import type { ServerLog } from '../log/server-log.ts'
import { openExternalServices } from './external-services.ts'
import { isLoopback, namesOf } from '../settings/server-address.ts'
import { serverFacts } from './server-facts.ts'
import { mcpRoutes } from './routes/mcp-routes.ts'
import { docsPath, openDocs } from './routes/docs.ts'
import { openPages } from './routes/pages.ts'
import { systemClock } from '../process/system-clock.ts'
import { needsTraining } from './needs-training.ts'
import { trainingPrefixes } from './training-on-demand.ts'
import { UsageError } from '../terminal/usage-error.ts'
import type { DamageReports } from './damage/damage-reports.ts'
import type { ServerMetrics } from '../metrics/server-metrics.ts'
import type { Stores } from '../stores/stores.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { messageOf } from '../terminal/message-of.ts'

/** What the server has before it serves. */
export interface ServeParts {
  configuration: Configuration
  logger: ServerLog
  stores: Stores
  prices: CostRow[] | undefined
  admission: Admission
  damage: DamageReports
  metrics: ServerMetrics
  telemetry: Telemetry | undefined
  /** Takes how to close what is opened here, each after those that it uses. */
  closers: (() => Promise<void>)[]
  /** Folder of the built pages. */
  pagesFolder: string
  /** Folder of the built documentation. */
  docsFolder: string
}

/** A server that takes requests. */
export interface ServingServer {
  server: RunningServer
  /** Where OTLP over gRPC is taken; undefined if it is not. */
  grpcUrl: string | undefined
  /** Where the metrics are without a key; undefined where they have no separate address. */
  metricsUrl: string | undefined
  /** Where the key of its administrator is. */
  key: AdminKey
  /** Resolves once the data folder was removed, moved or replaced: nothing that is written from then on can be found again. */
  folderLost: Promise<void>
}

/** Opens the services on top of the stores, then listens. A separate module, which is imported while the stores are being opened. */
export async function serveStores(parts: ServeParts): Promise<ServingServer & { health: Pick<ServerHealth, 'stop'> }> {
  const { configuration, logger, stores, prices, admission, damage, metrics, telemetry, closers, pagesFolder, docsFolder } = parts
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
  })
  const { tracing, training } = services
  for (const each of [tracing, training]) if (each) closers.push(() => each.close())
  const opened: MountedService[] = tracing ? [tracing] : []
  const later: LaterServices[] = []
  if (training) {
    health.watchModelEngine(training, { isNeeded: configuration.only === 'training' })
    if (await needsTraining(configuration, stores)) opened.push((await training.open()).service)
    else later.push({ prefixes: trainingPrefixes, open: async () => [(await training.open()).service] })
  }
  const { basePath } = configuration
  later.push(
    { prefixes: [docsPath], open: async () => [await openDocs({ folder: docsFolder, log: logger, basePath })] },
    { open: async () => [await openPages({ folder: pagesFolder, log: logger, basePath })] },
  )
  const service = serviceOf(opened, { log: logger, requests, later })
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
    jobs: { ...(tracing && { tracing: tracing.jobs }), ...(training && { training: training.jobs }) },
    readDisk: () => serverFacts(configuration, externalServices).readDisk(),
    readLastBackup: () => readLastBackup(configuration.dataDir),
    clock: systemClock,
  })
  return { server, grpcUrl: grpc && `http://${grpc.host}:${grpc.port}`, metricsUrl: scrapes?.url, key, folderLost: folder.lost, health }
}

/** @throws UsageError if the address cannot be used */
async function listenForOtlp({ host, port }: ListenAddress, { fetch }: Service): Promise<GrpcServer> {
  return serveGrpc({ host, port, methods: otlpGrpcMethods, fetch, limits: connectionLimits(maxOpenFiles()) }).catch((error: unknown) => {
    const reason = messageOf(error)
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
