import { createClickHouseStore, fileBlobs, migrateAnalytical, openSqlite, processLock, startEngine, systemTiming } from '@heddle/datastore'
import { openPostgres, postgresLock, postgresPool } from '@heddle/datastore/postgres'
import { createIdentity, hashApiKey, sqlIdentityStore, toStoredKey } from '@heddle/identity'
import { serve, serviceOf } from '@heddle/service-kit'
import { createTestLog, patientAdmission } from '@heddle/service-kit/testing'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { join } from 'node:path'
import process from 'node:process'
import { inspect } from 'node:util'
import { createTracingService } from '../../app.ts'
import { createModelProviders } from '../../providers/model-providers.ts'
import { createTraceSettling } from '../../records/calls/settle/settle-traces-store.sql.ts'
import { micros } from '../../testing/system-micros.ts'
import type { ServerOptions, SharedStoreUrls } from './server-options.ts'

// A server over a folder, for tests that kill it, built beside the modules that it starts: `node server-process.js <data folder> <secret of its key> <folder of its log> <options as JSON>`.
// Tells its parent its address, and how long its stores took to open.
const [dataDir = '', secret = '', logFolder = '', options = '{}'] = process.argv.slice(2)
const { monitors, webhooks, shared, removedAtOnce } = JSON.parse(options) as ServerOptions
const log = createTestLog({
  folder: logFolder,
  test: () => `a server that is killed, ${process.pid}`,
  // What went wrong inside is the first thing to know when a trial fails.
  also: { info() {}, error: (fields, message) => void process.stderr.write(`${message} ${inspect(fields)}\n`) },
})
// Without a provider no job runs; what monitors score here asks no model.
const withMonitors = (settleMs: number) => ({
  providers: createModelProviders([{ name: 'none', baseUrl: 'http://127.0.0.1:9', apiKey: undefined }], undefined),
  monitorTimes: { everyMs: 100, settleMs, windowMs: 86_400_000 },
})
const beside = (name: string) => new URL(name, import.meta.url)
const startedMs = performance.now()
const { analytical, database, locks } = shared === undefined ? await openFolder() : await openShared(shared)
await migrateAnalytical({ analytical, database, locks, kind: 'embedded', now: micros })
const openedMs = performance.now() - startedMs
const keys = sqlIdentityStore(database)
if (!(await keys.findKeyByHash(hashApiKey(secret))))
  await keys.putKey(toStoredKey({ name: 'tester', role: 'admin' }, { secret, now: micros() }))
const tracing = createTracingService({
  analytical,
  database,
  locks,
  blobs: fileBlobs(join(dataDir, 'blobs')),
  identity: createIdentity({ store: keys, clock: micros }),
  sharesStore: shared !== undefined,
  clock: micros,
  info: { version: '0.0.0-test', minPythonClientVersion: '0.51.0', traceServerVersion: '1.0.0' },
  log,
  admission: patientAdmission(),
  ...(removedAtOnce !== undefined && { removedAtOnce }),
  ...(monitors !== undefined && withMonitors(monitors.settleMs)),
  ...(webhooks && { webhooks: { ...webhooks, pollMs: 50 }, outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }) }),
  spans: { worker: beside('span-worker.js'), minBytes: 4_096 },
})
const server = await serve({ ...serviceOf([tracing], { log }), host: '127.0.0.1', port: 0 })
process.send?.({ url: server.url, openedMs })
// A parent that ended takes its server along.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

async function openFolder() {
  const engine = await startEngine({ entry: beside('engine-child.js'), dataDir, memoryLimitBytes: 1e9 })
  const analytical = createClickHouseStore({
    target: { engine },
    timing: systemTiming,
    derive: createTraceSettling(),
    onRefused: ({ path, error }) => log.error({ path, err: error }, 'the store refuses rows that were acknowledged'),
  })
  return { analytical, database: await openSqlite(join(dataDir, 'heddle.db')), locks: processLock() }
}

async function openShared({ postgresUrl, analyticalUrl }: SharedStoreUrls) {
  const analytical = createClickHouseStore({ target: { url: analyticalUrl }, derive: createTraceSettling(), timing: systemTiming })
  return { analytical, database: await openPostgres(postgresUrl), locks: postgresLock({ pool: postgresPool(postgresUrl) }) }
}
