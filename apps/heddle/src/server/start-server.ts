import { setTimeout as delay } from 'node:timers/promises'
import { onInvariantFailure } from '@heddle/datastore'
import { clusterStatementLimits, createAdmission } from '@heddle/service-kit'
import { createServerMetrics } from '../metrics/server-metrics.ts'
import type { ServerLog } from '../log/server-log.ts'
import type { Configuration } from '../settings/configuration.ts'
import { readPrices } from '../settings/prices-file.ts'
import { openStores } from '../stores/stores.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { createDamageReports } from './damage/damage-reports.ts'
import { builtDocs } from './routes/docs.ts'
import { builtPages } from './routes/pages.ts'
import type { ServingServer } from './serve-stores.ts'

export interface StartedServer extends ServingServer {
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
  // Imported while the engine's process starts.
  const load = () => import('./serve-stores.ts')
  let loading: ReturnType<typeof load> | undefined
  const stores = await openStores({
    trace: telemetry?.traceStatement,
    onJournalSync: metrics.onJournalSync,
    permits: admission.statements,
    configuration,
    purpose: 'heddle serve',
    onEngineForked() {
      loading ??= load()
      loading.catch(() => undefined)
    },
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
    const { serveStores } = await (loading ?? load())
    const parts = { configuration, logger, stores, prices, admission, damage, metrics, telemetry, closers, pagesFolder, docsFolder }
    const { health, ...serving } = await serveStores(parts)
    const close = async (pause: (ms: number) => Promise<unknown> = delay) => {
      health.stop()
      if (configuration.drainDelaySeconds > 0) await pause(configuration.drainDelaySeconds * 1_000)
      await closeAll()
    }
    return { ...serving, close }
  } catch (error) {
    await closeAll()
    throw error
  }
}
