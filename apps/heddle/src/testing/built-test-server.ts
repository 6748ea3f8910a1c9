import { inject } from 'vitest'

/** The module `heddle/testing` as it is built. */
export const builtTestServer = new URL('testing.js', inject('builtChildren')).href

/** Starts a server by the built `heddle/testing`. */
export async function createBuiltTestServer() {
  const { createTestServer } = (await import(builtTestServer)) as typeof import('../test-server/create-test-server.ts')
  return createTestServer()
}
