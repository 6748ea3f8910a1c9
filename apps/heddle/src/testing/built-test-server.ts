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
 * The server that the test files of a worker share, since one takes a second to start and to stop: each writes to projects of its own. `errors` holds those
 * since this file began to use it. It ends with the worker, so `close` does nothing.
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
