import { getHeapStatistics } from 'node:v8'
import { readMemoryLimit } from '@heddle/datastore/memory'
import { pino } from 'pino'
import { requestSignInLink } from '../request-sign-in-link.ts'
import { createTestSpan } from '../doctor/test-span.ts'
import { collectLessOften } from '../process/tune-garbage-collection.ts'
import { createServerLog, type ServerLog } from '../log/server-log.ts'
import { toStartError } from '../server/start/start-error.ts'
import { builtPages, hasPages } from '../server/routes/pages.ts'
import { type StartedServer, startServer } from '../server/start-server.ts'
import { plainHttpWarning } from '../server/start/plain-http.ts'
import { planMemory } from '../process/memory-plan.ts'
import { listenForStop } from '../process/stop-signal.ts'
import { systemClock } from '../process/system-clock.ts'
import { commandName, flagsTo, welcome, type WelcomeFacts } from '../server/start/welcome.ts'
import { readAdminKey } from '../settings/admin-key-file.ts'
import type { Configuration } from '../settings/configuration.ts'
import { readSecretMask } from '../settings/configured-secrets.ts'
import { findApiKey } from '../settings/find-api-key.ts'
import { baseUrlOf } from '../settings/server-address.ts'
import { version } from '../settings/version.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface ServeOptions {
  configuration: Configuration
  terminal: Terminal
  /** True when the server stops at the end of its parent process as well. */
  endsWithParent: boolean
}

/** Runs the server until a stop signal, then finishes the requests and work under way. Logs go to standard error as JSON lines. */
export async function serve({ configuration, terminal, endsWithParent }: ServeOptions): Promise<void> {
  collectLessOften()
  const secrets = await readSecretMask(configuration)
  const logger = createServerLog(configuration.logLevel, pino.destination({ fd: 2, sync: true }), secrets)
  logMemory(configuration, logger)
  const stop = listenForStop({ endsWithParent, onSecondInterrupt: () => process.exit(1), signals: process })
  try {
    const running = await withProgress(terminal, 'Starting', () => startServer(configuration, logger)).catch((error: unknown) => {
      throw toStartError(error, configuration)
    })
    const warning = plainHttpWarning(configuration)
    if (warning !== undefined) logger.warn({ host: configuration.host }, warning)
    const facts = await factsOf(running, configuration).catch(async (error: unknown) => {
      await running.close()
      throw error
    })
    terminal.out(welcome(facts))
    const isLost = await Promise.race([stop.requested.then(() => false), running.folderLost.then(() => true)])
    if (isLost) endWithoutFolder(logger, configuration)
    await withProgress(terminal, 'Stopping', () => running.close())
  } finally {
    stop.release()
  }
}

function logMemory(configuration: Configuration, logger: ServerLog): void {
  const { limit, ...parts } = planMemory(readMemoryLimit(), configuration)
  const heapLimitBytes = getHeapStatistics().heap_size_limit
  const { bytes: limitBytes, machineBytes, cgroup = null } = limit
  logger.info({ limitBytes, machineBytes, cgroup, ...parts, heapLimitBytes }, 'memory')
}

/** Exits at once, since rows acknowledged from now on would be lost. A process manager restarts the server, and the start reports the error. */
function endWithoutFolder(logger: ServerLog, { dataDir }: Configuration): never {
  logger.error({ path: dataDir }, 'the data folder was removed, moved or replaced while the server was running; the server ends')
  process.exit(1)
}

async function factsOf({ server, key }: StartedServer, configuration: Configuration): Promise<WelcomeFacts> {
  const { dataDir } = configuration
  const warning = plainHttpWarning(configuration)
  // Secrets are shown only in a terminal: piped output may end in a log.
  const isRead = process.stdout.isTTY
  const secret = isRead && key.source === 'file' && key.isNew ? await readAdminKey(dataDir) : undefined
  const apiKey = isRead && key.source !== 'none' && hasPages(builtPages) ? await findApiKey(configuration) : undefined
  const signInLink =
    apiKey === undefined ? undefined : await requestSignInLink({ baseUrl: baseUrlOf(server), publicUrl: configuration.url, apiKey })
  return {
    version,
    url: baseUrlOf(server),
    publicUrl: configuration.url ?? baseUrlOf(server),
    dataDir,
    key,
    ...(secret === undefined ? {} : { secret }),
    ...(signInLink === undefined ? {} : { signInLink }),
    ...(warning === undefined ? {} : { warning }),
    span: createTestSpan({ name: 'hello', now: systemClock() }).body,
    command: { name: commandName(process.argv[1] ?? 'heddle'), flags: flagsTo(server, configuration) },
  }
}
