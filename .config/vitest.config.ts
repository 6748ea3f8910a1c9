import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { findChromium } from '../.scripts/browser/find-chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const temporaryFiles = 'packages/testing/src/temporary-files.ts'
const globalSetups = [
  temporaryFiles,
  'packages/datastore/src/testing/stores-folder.ts',
  'packages/datastore/src/testing/postgres-server.ts',
  'packages/service-kit/src/testing/log-folder.ts',
  'apps/heddle/src/testing/build-children.ts',
  'packages/otel-exporter/src/testing/build-entries.ts',
]

const isLongRun = process.env['HEDDLE_TEST_LONG'] === '1'
/** Tests that take long, such as those that kill servers again and again: `npm run test:long` runs them too. */
const longTests = isLongRun ? [] : ['**/*.long.test.ts']

const tests = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'apps/training/pretraining/**/*.test.ts',
  'benchmarks/**/*.test.ts',
  '.scripts/**/*.test.ts',
]
/**
 * Tests that replace modules, such as those of Node by ones that fail, that measure the heap of their process, or that replace its timers, which would
 * be those of the worker's stores too: they share their process with no other file.
 */
const isolated = ['packages', 'apps', 'benchmarks', '.scripts']
  .flatMap(testsIn)
  .filter((path) => isLongRun || !path.endsWith('.long.test.ts'))
  .filter((path) => /vi\.mock\(|setFlagsFromString\('--expose-gc|useFakeTimers/.test(readFileSync(path, 'utf8')))

/** Without what packages have installed: to read those folders, too, takes seconds. */
function testsIn(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testsIn(`${folder}/${entry.name}`)
    return entry.name.endsWith('.test.ts') ? [`${root}${folder}/${entry.name}`] : []
  })
}

/** Tests in a browser: pages of the web UI, from the built server. There are none where no Chromium is. */
const inBrowser = 'apps/heddle/src/browser-tests/**/*.test.ts'
const chromium = findChromium()

/** Servers in the process of a test start the children that are built for all tests. */
const builtEntries = { find: /^.*\/process\/child-entries\.ts$/, replacement: `${root}apps/heddle/src/testing/built-entries.ts` }

const each = {
  alias: [builtEntries],
  setupFiles: ['packages/testing/src/seeded-properties.ts'],
  // Tests start child processes and native engines, which threads do not carry.
  pool: 'forks' as const,
  // Bounds of what hangs. They are longer than our own bounds of waits in tests (60 s), whose errors say more.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  // By default a wait ends after a second, in which a busy machine may do nothing.
  expect: { poll: { timeout: 60_000 } },
  /** Random trials run with their full counts when this is true: `npm run test:long`. */
  provide: { long: isLongRun },
}

export default defineConfig({
  root,
  cacheDir: 'node_modules/.vitest',
  test: {
    // One more than the cores that a test run may count on: tests wait for timers and processes for a quarter of their time. With four it took as long.
    maxWorkers: 3,
    teardownTimeout: 20_000,
    // What one project has transformed is not transformed again for another, nor in the next run.
    experimental: { fsModuleCache: true },
    globalSetup: globalSetups.filter((path) => existsSync(`${root}${path}`)),
    projects: [
      // Files share the modules of their worker, and its stores: loading both anew for each took a third of the time of all tests.
      {
        root,
        test: {
          ...each,
          name: 'shared',
          include: tests,
          exclude: [...isolated, ...longTests, inBrowser, '**/node_modules/**'],
          isolate: false,
        },
      },
      { root, test: { ...each, name: 'isolated', include: isolated, isolate: true } },
      ...(chromium === undefined ? [] : [browserProject(chromium)]),
    ],
  },
})

/** The seeded slice of the browser tests; `npm run test:browser` runs all of them. */
function browserProject(chromiumPath: string) {
  const allBrowserCases = process.env['HEDDLE_TEST_BROWSER'] === 'all'
  const globalSetup = [temporaryFiles, 'apps/heddle/src/browser-tests/testing/browser-setup.ts']
  const provide = { ...each.provide, chromiumPath, allBrowserCases }
  const times = { testTimeout: 240_000, expect: { poll: { timeout: 60_000 } } }
  // A file without tests fails.
  const exclude = allBrowserCases ? [] : testsIn('apps/heddle/src/browser-tests').filter(hasNoSlice)
  return { root, test: { ...each, ...times, name: 'browser', include: [inBrowser], exclude, isolate: false, globalSetup, provide } }
}

/** Whether all tests of a file are for runs of all cases. */
function hasNoSlice(path: string): boolean {
  const begins = readFileSync(path, 'utf8').match(/^(?:test|describe)\b.*$/gm) ?? []
  return begins.every((line) => /^\w+\.each\((?:inWholeRuns\b|isWholeRun \? \w+ : \[\])/.test(line))
}
