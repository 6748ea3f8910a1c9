import { inject } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'

/** The module `heddle/testing` as it is built. */
export const builtTestServer = new URL('testing.js', inject('builtChildren')).href

/** Starts a server by the built `heddle/testing`. */
export async function createBuiltTestServer() {
  const { createTestServer } = (await import(builtTestServer)) as typeof import('../test-server/create-test-server.ts')
  return createTestServer()
}

let shared: Promise<TestServer> | undefined

/**
 * The server that all test files of a worker share, since starting and stopping one takes a second. Each file writes to its own projects. `errors` lists
 * those since the call. The server ends with the worker, so `close` does nothing.
 */
export async function shareBuiltTestServer(): Promise<TestServer> {
  const server = await (shared ??= createBuiltTestServer())
  const earlier = new Set(server.errors)
  return {
    ...server,
    get errors() {
      return server.errors.filter((line) => !earlier.has(line))
    },
    close: async () => undefined,
  }
}
