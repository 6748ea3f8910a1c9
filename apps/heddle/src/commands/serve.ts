import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { readDiskSpace } from '@heddle/datastore'
import { createIdentity, type IdentityStore, sqlIdentityStore } from '@heddle/identity'
import {
  type Admission,
  type BodyBudget,
  clusterStatementLimits,
  createAdmission,
  createBodyBudget,
  createFailedLogins,
  defaultBodyBudgetBytes,
  type RunningServer,
  serve as listen,
  serviceOf,
} from '@heddle/service-kit'
import { type CostRow, createTracingService, type TracingService } from '@heddle/tracing'
import { pino } from 'pino'
import { readAdminKey } from '../settings/admin-key-file.ts'
import { logJournalDamage, logTableDamage } from '../server/damage-log.ts'
import { backupRoute } from '../backup/backup-route.ts'
import { spanWorkerEntry } from '../server/child-entries.ts'
import { connectionLimits } from '../server/connection-limits.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createTestSpan } from '../doctor/test-span.ts'
import { type AdminKey, ensureAdminKey, hasUsableKey } from '../server/first-start.ts'
import { letGarbageGather } from '../server/heap-growth.ts'
import { maxOpenFiles } from '../server/open-files.ts'
import { createServerLog, type ServerLog } from '../server/server-log.ts'
import { openExternalServices, type ExternalServices } from '../server/external-services.ts'
import { withProgress } from '../terminal/progress.ts'
import { readPrices } from '../settings/prices-file.ts'
import { toStartError } from '../server/start-error.ts'
import { baseUrlOf, isLoopback } from '../settings/server-address.ts'
import { keepsAll, openStores, type Stores } from '../server/stores.ts'
import { listenForStop } from '../server/stop-signal.ts'
import { sessionRoutes } from '../server/session-routes.ts'
import { systemClock } from '../server/system-clock.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { version } from '../settings/version.ts'
import { commandName, flagsTo, welcome, type WelcomeFacts } from '../server/welcome.ts'

/** Every published Python client is at least this, and none asks for a newer interface than that. */
const minPythonClientVersion = '0.51.0'
const traceServerVersion = '1.0.0'

const logLevels = ['debug', 'info', 'warn', 'error']

export interface ServeOptions {
  configuration: Configuration
  terminal: Terminal
  logLevel: string
  /** True when the server stops at the end of its parent process as well. */
  endsWithParent: boolean
}

/** Runs the server until it is asked to stop, then finishes what is under way. Logs go to standard error as JSON lines. */
export async function serve({ configuration, terminal, logLevel, endsWithParent }: ServeOptions): Promise<void> {
  if (!logLevels.includes(logLevel))
    throw new UsageError(`--log-level must be one of ${logLevels.join(', ')}, got ${JSON.stringify(logLevel)}`)
  letGarbageGather()
  const logger = createServerLog(logLevel, pino.destination({ fd: 2, sync: true }))
  const stop = listenForStop({ endsWithParent, onSecondInterrupt: () => process.exit(1), signals: process })
  try {
    const running = await withProgress(terminal, 'Starting', () => start(configuration, logger)).catch((error: unknown) => {
      throw toStartError(error, configuration)
    })
    terminal.out(welcome(await factsOf(running, configuration)))
    await stop.asked
    await withProgress(terminal, 'Stopping', () => running.close())
  } finally {
    stop.release()
  }
}

interface Running {
  server: RunningServer
  key: AdminKey
  close(): Promise<void>
}

/** Opens the stores, then the service over them, then the port. What has been opened is closed again when a later step fails. */
async function start(configuration: Configuration, logger: ServerLog): Promise<Running> {
  const prices = await readPrices(configuration)
  const isCluster = configuration.clickhouseUrl !== undefined
  const admission = createAdmission({ limits: isCluster ? { statements: clusterStatementLimits } : {} })
  const stores = await openStores({
    permits: admission.statements,
    configuration,
    onEngineRestart: (event) => logger.warn(event, 'restarted the embedded engine'),
    onRefusedRows: ({ path, error }) => logger.error({ path, err: error }, 'the store rejected acknowledged rows; they are kept in a file'),
    onJournalDamage: (damage) => logJournalDamage(damage, logger),
    onTableDamage: (damage) => logTableDamage(damage, logger),
  })
  const closers = [() => stores.close()]
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    const store = sqlIdentityStore(stores.database)
    const key = await ensureAdminKey({ store, dataDir: configuration.dataDir, apiKey: configuration.apiKey, clock: systemClock })
    await checkReach(configuration, store)
    const externalServices = await openExternalServices(configuration, logger)
    const budget = createBodyBudget(bodyBudgetBytes(configuration))
    const tracing = composeTracing({ stores, store, prices, logger, configuration, externalServices, admission, budget })
    closers.push(() => tracing.close())
    const server = await listen({
      ...serviceOf([tracing], { log: logger }),
      admission,
      host: configuration.host,
      port: configuration.port,
      limits: connectionLimits(maxOpenFiles()),
      ...allowedHosts(configuration),
    })
    closers.push(() => server.close())
    return { server, key, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface TracingParts {
  stores: Stores
  store: IdentityStore
  prices: CostRow[] | undefined
  logger: ServerLog
  configuration: Configuration
  externalServices: ExternalServices
  admission: Admission
  budget: BodyBudget
}

/** The event loop and the engine have a core each; more threads than these wait for the engine. */
const spanThreads = Math.min(4, Math.max(1, availableParallelism() - 2))

/** The one place that gives the tracing service what it needs. */
function composeTracing({
  stores,
  store,
  prices,
  logger,
  configuration,
  externalServices,
  admission,
  budget,
}: TracingParts): TracingService {
  const { analytical, database, blobs, locks, sharesStore, assertDiskSpace } = stores
  const onLastUsedError = (error: unknown) => logger.warn({ err: error }, 'failed to update the last-used time of an API key')
  const identity = createIdentity({ store, clock: systemClock, onLastUsedError })
  return createTracingService({
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
    spans: { worker: spanWorkerEntry, threads: spanThreads },
    log: logger,
    failedLogins: createFailedLogins({ nowMs: () => performance.now(), pause: (ms) => delay(ms) }),
    limits: { maxBodyBytes: configuration.maxRequestBytes },
    admission,
    budget,
    serverRoutes: [
      ...sessionRoutes(identity),
      ...(keepsAll(configuration) ? [backupRoute({ analytical, dataDir: configuration.dataDir, readRoom: readDiskSpace })] : []),
    ],
    ingest: { masksCredentials: configuration.masksCredentials, spanConflicts: configuration.spanConflicts },
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

/** A server for this machine alone answers only to names of this machine, so that no web site reaches it by a name of its own. */
function allowedHosts({ host }: Configuration): { hosts?: string[] } {
  return isLoopback(host) ? { hosts: [host, 'localhost', '127.0.0.1', '::1'] } : {}
}

async function factsOf({ server, key }: Running, configuration: Configuration): Promise<WelcomeFacts> {
  const { dataDir } = configuration
  // The new key is shown once, and only to a person: what is piped may end in a log.
  const secret = key.source === 'file' && key.isNew && process.stdout.isTTY ? await readAdminKey(dataDir) : undefined
  return {
    version,
    url: baseUrlOf(server),
    dataDir,
    key,
    ...(secret === undefined ? {} : { secret }),
    span: createTestSpan({ name: 'hello', now: systemClock() }).body,
    command: { name: commandName(process.argv[1] ?? 'heddle'), flags: flagsTo(server, configuration) },
  }
}
