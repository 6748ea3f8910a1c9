import { type IdentityStore, sqlIdentityStore } from '@heddle/identity'
import {
  clusterStatementLimits,
  createAdmission,
  createBodyBudget,
  createRequestStats,
  defaultBodyBudgetBytes,
  type RunningServer,
  serve as listen,
  serviceOf,
} from '@heddle/service-kit'
import { createDamageReports } from './damage/damage-reports.ts'
import { composeServices } from './compose-services.ts'
import { connectionLimits } from './process/connection-limits.ts'
import type { Configuration } from '../settings/configuration.ts'
import { type AdminKey, ensureAdminKey, hasUsableKey } from './start/first-start.ts'
import { openLimiter } from './open-limiter.ts'
import { watchFolder } from './process/watch-folder.ts'
import { maxOpenFiles } from './process/open-files.ts'
import { livePath, readyPath } from './health/health-routes.ts'
import { watchHealth } from './health/server-health.ts'
import type { ServerLog } from './server-log.ts'
import { openExternalServices } from './external-services.ts'
import { readPrices } from '../settings/prices-file.ts'
import { isLoopback, namesOf } from '../settings/server-address.ts'
import { openStores } from './stores.ts'
import { mcpRoutes } from './routes/mcp-routes.ts'
import { builtPages, openPages } from './routes/pages.ts'
import { systemClock } from './process/system-clock.ts'
import { openTrainingEngine } from './training-engine.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface StartedServer {
  server: RunningServer
  /** Where the key of its administrator is. */
  key: AdminKey
  /** Resolves once the data folder was removed, moved or replaced: nothing that is written from then on can be found again. */
  folderLost: Promise<void>
  /** Finishes what is under way, then closes all that was opened. */
  close(): Promise<void>
}

/**
 * Opens the stores, then the service over them, then the port. What has been opened is closed again when a later step fails.
 * `pagesFolder` holds the built pages.
 */
export async function startServer(configuration: Configuration, logger: ServerLog, pagesFolder = builtPages): Promise<StartedServer> {
  const prices = await readPrices(configuration)
  const isCluster = configuration.clickhouseUrl !== undefined
  const admission = createAdmission({ limits: isCluster ? { statements: clusterStatementLimits } : {} })
  const damage = createDamageReports(logger)
  const stores = await openStores({
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
  const closers = [() => stores.close()]
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne()
  }
  try {
    const store = sqlIdentityStore(stores.database)
    const key = await ensureAdminKey({ store, dataDir: configuration.dataDir, apiKey: configuration.apiKey, clock: systemClock })
    await checkReach(configuration, store)
    const externalServices = await openExternalServices(configuration, logger)
    const requests = createRequestStats()
    const budget = createBodyBudget(bodyBudgetBytes(configuration))
    const limiter = openLimiter({ stores, configuration, logger })
    closers.push(() => limiter.close())
    const folder = watchFolder(stores)
    closers.push(async () => folder.stop())
    const health = watchHealth({ stores, log: logger })
    health.readiness.note('damage', damage.summary)
    closers.push(async () => health.stop())
    const mcp = mcpRoutes({ service: () => service, log: logger })
    const { engine: trainingEngine, refusedBaseModels } = await openTrainingEngine({
      configuration,
      logger,
      outgoing: externalServices.outgoing,
    })
    closers.push(() => trainingEngine.close())
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
      mcp,
      trainingEngine,
      refusedBaseModels,
    })
    closers.push(...services.map((each) => () => each.close()))
    const pages = await openPages({ folder: pagesFolder, log: logger, basePath: configuration.basePath })
    const service = serviceOf([...services, pages], { log: logger, requests })
    const hosts = namesOf(configuration)
    const server = await listen({
      ...service,
      admission,
      host: configuration.host,
      port: configuration.port,
      basePath: configuration.basePath,
      limits: connectionLimits(maxOpenFiles()),
      pathsWhileClosing: [livePath, readyPath],
      ...(hosts && { hosts }),
    })
    closers.push(
      () => server.close(),
      () => mcp.close(),
      async () => health.stop(),
    )
    return { server, key, folderLost: folder.lost, close }
  } catch (error) {
    await close()
    throw error
  }
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
