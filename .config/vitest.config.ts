import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
const globalSetups = [
  'packages/datastore/src/testing/postgres-server.ts',
  'packages/service-kit/src/testing/log-folder.ts',
  'apps/heddle/src/testing/build-children.ts',
]

export default defineConfig({
  root,
  cacheDir: 'node_modules/.vitest',
  test: {
    include: ['packages/*/src/**/*.test.ts', 'apps/*/src/**/*.test.ts', 'benchmarks/**/*.test.ts', '.scripts/**/*.test.ts'],
    // Tests start child processes and native engines, which threads do not carry.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    /** Random trials run with their full counts when this is true: `npm run test:long`. */
    provide: { long: process.env['HEDDLE_TEST_LONG'] === '1' },
    globalSetup: globalSetups.filter((path) => existsSync(`${root}${path}`)),
  },
})
