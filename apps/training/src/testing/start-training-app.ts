import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { type Blobs, fileBlobs, type RelationalStore } from '@heddle/datastore'
import { openTestRelational } from '@heddle/datastore/testing'
import { createIdentity, type Identity, type NewKey, sqlIdentityStore } from '@heddle/identity'
import { type Service, serviceOf } from '@heddle/service-kit'
import { createTestLog, patientAdmission } from '@heddle/service-kit/testing'
import { expect, inject } from 'vitest'
import { createTrainingService } from '../app.ts'
import type { CompleteFor } from '../resources/chat-completions/complete-for.ts'
import type { TrainingDeps } from '../training-deps.ts'
import { createTableEngine, type TableEngine } from './table-engine.ts'

export type TestClient = ReturnType<typeof createTestClient>

export interface TrainingServer {
  service: Service
  identity: Identity
  /** Secret of the key of `client`. */
  apiKey: string
  client: TestClient
  complete: CompleteFor
  /** A client with a key of its own. */
  clientFor(key: NewKey): Promise<TestClient>
  /** Ends the service; the stores stay open. */
  close(): Promise<void>
}

export interface TrainingApp extends TrainingServer {
  engine: TableEngine
  database: RelationalStore
  blobs: Blobs
  folder: string
  /** Another server over the same stores and with an engine of its own. */
  anotherServer(overrides?: Partial<TrainingDeps>): Promise<TrainingServer & { engine: TableEngine }>
}

export interface TrainingAppOptions {
  service?: Partial<TrainingDeps>
  /** A database server instead of a file. */
  postgresUrl?: string
}

/** The real service over real stores in a temporary folder, with an engine that trains a table, without a port. */
export async function startTrainingApp({ service: overrides, postgresUrl }: TrainingAppOptions = {}): Promise<TrainingApp> {
  const folder = await mkdtemp(join(inject('storesFolder'), 'training-'))
  const { database, locks, closeRelational } = await openTestRelational(folder, postgresUrl)
  const blobs = fileBlobs(join(folder, 'blobs'))
  const closers: (() => Promise<void>)[] = []
  let servers = 0

  async function startServer(more: Partial<TrainingDeps> = {}) {
    const own = join(folder, `server-${servers++}`)
    const engine = await createTableEngine(join(own, 'base-model'))
    const clock = more.clock ?? overrides?.clock ?? (() => Date.now() * 1000)
    const identity = createIdentity({ store: sqlIdentityStore(database), clock })
    const log = createTestLog({ folder: inject('logFolder'), test: currentTest, also: more.log ?? overrides?.log })
    // The start of a thread from source takes seconds.
    const bodyReading = { minBytes: Infinity }
    const promptThreads = { minCharacters: Infinity }
    const deps = {
      database,
      blobs,
      locks,
      identity,
      engine,
      scratchDir: join(own, 'scratch'),
      sharesStore: false,
      clock,
      bodyReading,
      promptThreads,
    }
    const mounted = createTrainingService({ ...deps, admission: patientAdmission(), ...overrides, ...more, log })
    const service = serviceOf([mounted], { log })
    const { secret } = await identity.createKey({ name: 'tester', role: 'admin' })
    const clientFor = async (key: NewKey) => createTestClient(service, (await identity.createKey(key)).secret)
    const close = () => mounted.close()
    closers.push(close)
    return {
      service,
      identity,
      engine,
      apiKey: secret,
      client: createTestClient(service, secret),
      complete: mounted.complete,
      clientFor,
      close,
    }
  }

  const server = await startServer()
  return {
    ...server,
    database,
    blobs,
    folder,
    anotherServer: startServer,
    async close() {
      for (const close of closers) await close()
      await closeRelational()
      await rm(folder, { recursive: true })
    },
  }
}

/** The typed client that calls the service without a network. */
export function createTestClient(service: Service, apiKey: string) {
  return createClient({
    baseUrl: 'http://heddle.test',
    contract: training,
    apiKey,
    retries: 0,
    fetch: (input, init) => service.fetch(new Request(input, init)),
  })
}

/** Which test a log line belongs to. */
function currentTest(): string {
  const { testPath = '', currentTestName = '' } = expect.getState()
  return `${testPath.replace(`${process.cwd()}/`, '')}: ${currentTestName}`
}
