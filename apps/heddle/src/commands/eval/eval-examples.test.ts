import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeIn, runNode } from '@heddle/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TestServer } from '../../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../../testing/built-test-server.ts'
import { bundleProgram } from '../../testing/bundle-program.ts'
import { runCommandHere } from '../../testing/run-command.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const page = readFileSync(new URL('../../../../../docs/evaluations.md', import.meta.url), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'heddle-eval-examples-'))
let server: TestServer
let runs: Record<string, string>

/** Runs the program of the page, which prints the id of the run that it recorded. */
async function evaluate(model: string): Promise<string> {
  const [example = ''] = codeIn(page, 'ts')
  const path = await bundleProgram(example, folder)
  const env = { PATH: process.env['PATH'] ?? '', HEDDLE_BASE_URL: server.url, HEDDLE_API_KEY: server.apiKey, MODEL: model }
  const { stdout, stderr, end } = await runNode({ args: [path], folder, env, timeLimitMs: 110_000 })
  expect([stderr, end]).toEqual(['', 0])
  return stdout.trim()
}

beforeAll(async () => {
  server = await shareBuiltTestServer()
  runs = { $BEFORE: await evaluate('addDigits'), $AFTER: await evaluate('add') }
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const commands = [...page.matchAll(/^heddle (eval .*?)(?:\s+#.*)?$/gm)].map(([, command = '']) => command)

test('the page has examples of every command', () => {
  const kinds = new Set(commands.map((command) => command.split(' ')[1]))
  expect([...kinds]).toEqual(['list', 'show', 'compare', 'gate'])
})

test.each(commands)('heddle %s', async (command) => {
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
  const args = words.map((word) => (word === 'report.xml' ? join(folder, word) : (runs[word] ?? word)))
  const { code, out, note } = await runCommandHere([...args, '--url', server.url], { HEDDLE_API_KEY: server.apiKey })
  // In the last example the candidate cannot carry: 12 of 30 sums are wrong.
  expect([code, note]).toEqual([command.includes('--max-drop') ? 1 : 0, expect.not.stringContaining('heddle:')])
  expect(out).toContain(command.includes('--max-drop') ? '-40 %' : 'exact.match')
})
