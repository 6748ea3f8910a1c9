import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from '../server/start-server.ts'
import { toConfiguration } from '../settings/configuration.ts'
import { otelEnvironment } from '../settings/emitter-environment.ts'

/** A server for tests, with its own data. */
export interface TestServer {
  /** Base address on loopback, without a slash at the end. */
  readonly url: string
  /** Secret of a key that may do everything. */
  readonly apiKey: string
  /** Errors that the server has logged, as lines of JSON without payloads: the newest 100. Empty in a good test. */
  readonly errors: readonly string[]
  /** The name of a project (`entity/project`) that no other test uses. The project comes into being with its first write. */
  newProject(): string
  /** Variables with which a program that has OpenTelemetry sends its traces to a project. */
  environmentFor(project: string): Record<string, string>
  /** Finishes the work under way, ends the server and removes its data. The same promise each time. */
  close(): Promise<void>
}

const maxErrors = 100

/**
 * Starts the real service on a free port of this machine, with its stores in a temporary folder. It reads no settings from the environment.
 * Starting takes seconds, so tests share a server and take a project each.
 * @throws Error when the embedded engine does not run on this machine, or the folder cannot be made.
 */
export async function createTestServer(): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'heddle-test-server-'))
  const apiKey = `test-${randomBytes(24).toString('hex')}`
  const errors: string[] = []
  const log = createServerLog('error', {
    write(line) {
      errors.push(line.trimEnd())
      if (errors.length > maxErrors) errors.shift()
    },
  })
  const removeData = () => rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
  const configuration = toConfiguration({ environment: {}, flags: { dataDir, apiKey, port: '0' } })
  const { server, close } = await startServer(configuration, log).catch(async (error: unknown) => {
    await removeData()
    throw error
  })
  let closing: Promise<void> | undefined
  return {
    url: server.url,
    apiKey,
    errors,
    newProject: () => `test/${randomUUID()}`,
    environmentFor: (project) => otelEnvironment({ baseUrl: server.url, apiKey, project }),
    close() {
      closing ??= close().finally(removeData)
      return closing
    },
  }
}
