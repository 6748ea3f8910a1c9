import { expect, test } from 'vitest'
import { loadEmbeddedPostgres } from './postgres-server.ts'

test('the PostgreSQL of the tests does not change the exit code of the run', async () => {
  const listeners = () => [process.listeners('beforeExit'), process.listeners('exit')]
  const before = listeners()
  await loadEmbeddedPostgres()
  expect(listeners()).toEqual(before)
})
