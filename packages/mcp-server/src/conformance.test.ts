import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTraining, fakeTraining } from './testing/fake-training.ts'
import { serveLocally } from './testing/serve-locally.ts'

interface Gaps {
  suite: string
  passed: Record<string, string[]>
  gaps: Record<string, Record<string, string[]>>
}

const committed = JSON.parse(readFileSync(new URL('../api/conformance-gaps.json', import.meta.url), 'utf8')) as Gaps
const packageFile = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
const onNode20 = new URL('./testing/conformance-on-node-20.mjs', import.meta.url).href

let server: Awaited<ReturnType<typeof serveLocally>>
beforeAll(async () => {
  server = await serveLocally({ baseUrl: 'http://services.test', project: 'e/p', fetch: fakeTraining(aTraining()) })
})
afterAll(() => server?.close())

/** Runs the program of the suite; a scenario that fails is an exit code of 1. */
function runSuite(args: readonly string[]): Promise<string> {
  const program = ['--import', onNode20, join(dirname(packageFile), 'dist/index.js')]
  return new Promise((resolve) => {
    execFile(process.execPath, [...program, ...args], { timeout: 110_000 }, (_, out, err) => resolve(out + err))
  })
}

test('the gaps are those of the suite that is installed', () => {
  expect(committed.suite).toBe(`@modelcontextprotocol/conformance@${version}, server scenarios`)
})

test.concurrent.each(['2025-11-25', '2026-07-28'])(
  'every scenario that the public conformance suite has for revision %s passes or is a known gap with its reason',
  { timeout: 120_000 },
  async (revision) => {
    const output = await runSuite(['server', '--url', server.url, '--requirements', revision])
    const results = [...output.matchAll(/^(✓|✗) ([\w-]+): (\d+) passed, \d+ failed/gm)]
    // A scenario that has nothing to check here has neither passed nor failed.
    const passed = results.filter(([, mark, , checks]) => mark === '✓' && checks !== '0').map(([, , name = '']) => name)
    const failed = results.filter(([, mark]) => mark === '✗').map(([, , name = '']) => name)
    expect(passed.toSorted(), output).toEqual(committed.passed[revision])
    expect(failed.toSorted()).toEqual(
      Object.values(committed.gaps[revision] ?? {})
        .flat()
        .toSorted(),
    )
  },
)
