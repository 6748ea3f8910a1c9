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
import { logJournalDamage, logTableDamage } from './damage-log.ts'
import { backupRoute } from '../backup/backup-route.ts'
import { spanWorkerEntry } from './child-entries.ts'
import { connectionLimits } from './connection-limits.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type AdminKey, ensureAdminKey, hasUsableKey } from './first-start.ts'
import { maxOpenFiles } from './open-files.ts'
import type { ServerLog } from './server-log.ts'
import { openExternalServices, type ExternalServices } from './external-services.ts'
import { readPrices } from '../settings/prices-file.ts'
import { isLoopback } from '../settings/server-address.ts'
import { keepsAll, openStores, type Stores } from './stores.ts'
import { sessionRoutes } from './session-routes.ts'
import { systemClock } from './system-clock.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { version } from '../settings/version.ts'

/** Every published Python client is at least this, and none asks for a newer interface than that. */
const minPythonClientVersion = '0.51.0'
const traceServerVersion = '1.0.0'

export interface StartedServer {
  server: RunningServer
  /** Where the key of its administrator is. */
  key: AdminKey
  /** Finishes what is under way, then closes all that was opened. */
  close(): Promise<void>
}

/** Opens the stores, then the service over them, then the port. What has been opened is closed again when a later step fails. */
export async function startServer(configuration: Configuration, logger: ServerLog): Promise<StartedServer> {
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
