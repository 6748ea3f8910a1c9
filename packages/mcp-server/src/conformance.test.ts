import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTraining, fakeTraining } from './testing/fake-training.ts'
import { serveLocally } from './testing/serve-locally.ts'

interface Gaps {
  suite: string
  passed: string[]
  gaps: Record<string, string[]>
}

const committed = JSON.parse(readFileSync(new URL('../api/conformance-gaps.json', import.meta.url), 'utf8')) as Gaps
const packageFile = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

let server: Awaited<ReturnType<typeof serveLocally>>
beforeAll(async () => {
  server = await serveLocally({ baseUrl: 'http://services.test', project: 'e/p', fetch: fakeTraining(aTraining()) })
})
afterAll(() => server?.close())

/** Runs the program of the suite; a scenario that fails is an exit code of 1. */
function runSuite(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(dirname(packageFile), 'dist/index.js'), ...args], { timeout: 110_000 }, (_, out, err) =>
      resolve(out + err),
    )
  })
}

test('every scenario of the public conformance suite passes or is a known gap with its reason', { timeout: 120_000 }, async () => {
  const output = await runSuite(['server', '--url', server.url, '--suite', 'all'])
  const results = [...output.matchAll(/^(✓|✗) ([\w-]+): \d+ passed, \d+ failed/gm)].map(([, mark, name = '']) => ({
    name,
    hasPassed: mark === '✓',
  }))
  const namesOf = (hasPassed: boolean) => results.filter((one) => one.hasPassed === hasPassed).map(({ name }) => name)
  expect(committed.suite).toBe(`@modelcontextprotocol/conformance@${version}, server scenarios`)
  expect(namesOf(true).toSorted(), output).toEqual(committed.passed)
  expect(namesOf(false).toSorted()).toEqual(Object.values(committed.gaps).flat().toSorted())
})
