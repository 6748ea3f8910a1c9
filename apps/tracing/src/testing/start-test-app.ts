import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { createClickHouseStore, systemTiming } from '@heddle/datastore'
import { shareTestStores, startTestStores, type TestStoreOptions, type TestStores } from '@heddle/datastore/testing'
import { type Service, serviceOf } from '@heddle/service-kit'
import { createTestLog, patientAdmission } from '@heddle/service-kit/testing'
import { createIdentity, sqlIdentityStore, type Identity, type NewKey } from '@heddle/identity'
import { expect, inject } from 'vitest'
import { createTracingService, type TracingService } from '../app.ts'
import { createTraceSettling } from '../records/calls/settle/settle-traces-store.sql.ts'
import type { TracingDeps } from '../tracing-deps.ts'
import { micros } from './system-micros.ts'

export type TestClient = ReturnType<typeof createTestClient>

/** One server over test stores, with a key for everything. */
export interface TestServer {
  service: Service & Pick<TracingService, 'close'>
  identity: Identity
  /** Secret of the key of `client`. */
  apiKey: string
  client: TestClient
  /** A client with a key of its own. */
  clientFor(key: NewKey): Promise<TestClient>
}

export interface TestApp extends TestServer {
  stores: TestStores
  /** A project that no other test uses. */
  newProject(): string
  /**
   * Another server over the same stores. Each remembers calls as the only server of its store does, unless it gets `sharesStore` or a
   * database server has the store: ask the one that wrote a call for it, or one that was started later.
   */
  anotherServer(service?: Partial<TracingDeps>): Promise<TestServer>
  close(): Promise<void>
}

export interface TestAppOptions {
  service?: Partial<TracingDeps>
  /** A database server instead of a file. Other servers may then use the same stores. */
  postgresUrl?: string
  /** Settings of stores of its own, for tests that look at more than a project. Without them the test files of a worker share theirs. */
  own?: Omit<TestStoreOptions, 'postgresUrl' | 'writes'>
}

/** One for all apps of a worker, which share stores. */
const derive = createTraceSettling()

/** The real service over real stores in a temporary folder, without a port. */
export async function startTestApp({ service: settings, postgresUrl, own }: TestAppOptions = {}): Promise<TestApp> {
  const isShared = postgresUrl !== undefined
  // A journal belongs to one process.
  const admission = settings?.admission ?? patientAdmission()
  const permits = admission.statements
  const target = { ...(isShared && { postgresUrl }), permits, writes: isShared ? ('direct' as const) : ('journaled' as const) }
  const stores = await (own ? startTestStores({ ...target, derive, ...own }) : shareTestStores({ ...target, derive }))
  // Servers of one app share a queue; apps that share stores do not.
  const jobQueue = `test-${randomUUID()}`
  const closers: (() => Promise<void>)[] = []
  async function startServer(analytical: TestStores['analytical'], service?: Partial<TracingDeps>): Promise<TestServer> {
    const server = await createServer({ ...stores, analytical }, { sharesStore: isShared, admission, jobQueue, ...settings, ...service })
    closers.push(() => server.service.close())
    return server
  }
  const server = await startServer(stores.analytical)
  return {
    ...server,
    stores,
    newProject: () => `test/${randomUUID()}`,
    anotherServer(service) {
      // On a store of one process both use it; else each has its own way to it.
      if (!isShared) return startServer(stores.analytical, service)
      const target = { engine: stores.engine }
      const analytical = createClickHouseStore({ target, permits, writes: 'direct', derive: createTraceSettling(), timing: systemTiming })
      closers.push(() => analytical.close())
      return startServer(analytical, service)
    },
    async close() {
      for (const close of closers) await close()
      await stores.close()
    },
  }
}

async function createServer(stores: TestStores, overrides: Partial<TracingDeps> = {}): Promise<TestServer> {
  const identity = createIdentity({ store: sqlIdentityStore(stores.database), clock: overrides.clock ?? micros })
  const log = createTestLog({ folder: inject('logFolder'), test: currentTest, also: overrides.log })
  const tracing = createTracingService({
    ...stores,
    identity,
    sharesStore: false,
    clock: micros,
    info: { version: '0.0.0-test', minPythonClientVersion: '0.51.0', traceServerVersion: '1.0.0' },
    spans: { worker: undefined },

    ...overrides,
    log,
  })
  const service = { ...serviceOf([tracing], { log }), close: () => tracing.close() }
  const clientFor = async (key: NewKey) => createTestClient(service, (await identity.createKey(key)).secret)
  const { secret } = await identity.createKey({ name: 'tester', role: 'admin' })
  return { service, identity, apiKey: secret, client: createTestClient(service, secret), clientFor }
}

/** Which test a log line belongs to. */
function currentTest(): string {
  const { testPath = '', currentTestName = '' } = expect.getState()
  return `${testPath.replace(`${process.cwd()}/`, '')}: ${currentTestName}`
}

/** The typed client that calls the service without a network. */
export function createTestClient(service: Service, apiKey: string) {
  return createClient({
    baseUrl: 'http://heddle.test',
    contract: tracing,
    apiKey,
    retries: 0,
    fetch: (input, init) => service.fetch(new Request(input, init)),
  })
}
