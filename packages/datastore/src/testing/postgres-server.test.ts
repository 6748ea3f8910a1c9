import { expect, test } from 'vitest'
import { loadEmbeddedPostgres } from './postgres-server.ts'

test('PostgreSQL for the tests leaves the exit code of their run alone', async () => {
  const listeners = () => [process.listeners('beforeExit'), process.listeners('exit')]
  const before = listeners()
  await loadEmbeddedPostgres()
  expect(listeners()).toEqual(before)
})
