import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toolNames } from './tools/tools.ts'
import { aTraining, fakeTraining } from './testing/fake-training.ts'
import { serveLocally } from './testing/serve-locally.ts'

interface Gaps {
  suite: string
  passed: Record<string, string[]>
  /** The suite is content with any answer of a tool of its sample server, which is not there. */
  'passed because an unknown tool is refused': Record<string, string[]>
  /** Why each scenario fails, by revision and scenario. */
  gaps: Record<string, Record<string, string>>
}

const committed = JSON.parse(readFileSync(new URL('../api/conformance-gaps.json', import.meta.url), 'utf8')) as Gaps
const packageFile = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
const program = join(dirname(packageFile), 'dist/index.js')
const onNode20 = new URL('./testing/conformance-on-node-20.mjs', import.meta.url).href

let server: Awaited<ReturnType<typeof serveLocally>>
beforeAll(async () => {
  server = await serveLocally({ baseUrl: 'http://services.test', project: 'e/p', fetch: fakeTraining(aTraining()) })
})
afterAll(() => server?.close())

/** Runs the program of the suite; a scenario that fails is an exit code of 1. */
function runSuite(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', onNode20, program, ...args], { timeout: 110_000 }, (_, out, err) => resolve(out + err))
  })
}

test('the gaps are those of the suite that is installed', () => {
  expect(committed.suite).toBe(`@modelcontextprotocol/conformance@${version}, server scenarios`)
})

test('each gap names what the suite calls and this server does not have', () => {
  const suite = readFileSync(program, 'utf8')
  const named = Object.values(committed.gaps).flatMap((gaps) =>
    Object.values(gaps).flatMap((reason) => reason.match(/(?<=`)[^`]+(?=`)/g) ?? []),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !suite.includes(name))).toEqual([])
  expect(named.filter((name) => toolNames.has(name))).toEqual([])
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
    const wanted = [committed.passed, committed['passed because an unknown tool is refused']].flatMap((group) => group[revision] ?? [])
    expect(passed.toSorted(), output).toEqual(wanted.toSorted())
    expect(failed.toSorted()).toEqual(Object.keys(committed.gaps[revision] ?? {}).toSorted())
  },
)
