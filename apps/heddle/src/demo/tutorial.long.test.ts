import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeIn, runNode } from '@heddle/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Comparison } from '../eval/compare/comparison.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { createBuiltTestServer } from '../testing/built-test-server.ts'
import { bundleProgram } from '../testing/bundle-program.ts'
import { runCommandHere } from '../testing/run-command.ts'

vi.setConfig({ testTimeout: 480_000, hookTimeout: 240_000 })

const page = readFileSync(new URL('../../../../docs/tutorial-from-traces-to-a-better-model.md', import.meta.url), 'utf8')
const blocks = (language: string) => codeIn(page, language)
/** Where the page says that the program is run: packages are found from there. */
const packageFolder = fileURLToPath(new URL('../..', import.meta.url))

const roundsOfPage = 5

let folder: string
let server: TestServer
let program: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-tutorial-'))
  server = await createBuiltTestServer()
  program = await bundleProgram(blocks('ts').join('\n'), folder)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

async function runForecaster(mode: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HEDDLE_BASE_URL: server.url, HEDDLE_API_KEY: server.apiKey }
  const { stdout, stderr, end } = await runNode({ args: [program, mode], folder: packageFolder, env, timeLimitMs: 400_000 })
  expect([stderr, end]).toEqual(['', 0])
  return stdout.trim()
}

async function runHeddle(args: readonly string[]): Promise<string> {
  const { code, out, note } = await runCommandHere([...args, '--url', server.url], { HEDDLE_API_KEY: server.apiKey })
  expect([args, code, note]).toEqual([args, 0, expect.not.stringContaining('heddle:')])
  return out
}

test('every line of the tutorial does what it says, and the model is better in the end', async () => {
  const variables: Record<string, string> = {}
  const commands = page.slice(page.indexOf('## 4.')).matchAll(/^(?:(\w+)=\$\()?npx tsx forecaster\.ts (\w+)\)?$|^heddle (.+)$/gm)
  const outputs = new Map<string, string>()
  for (const [, variable, mode, words] of commands) {
    if (mode !== undefined) {
      const printed = await runForecaster(mode)
      if (variable !== undefined) variables[`$${variable}`] = printed
      outputs.set(mode, printed)
    } else {
      const args = [...(words ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? variables[plain] ?? plain)
      // What is sampled goes to the output of the process, piece by piece.
      if (args[0] !== 'chat') outputs.set(args.slice(0, 2).join(' '), await runHeddle(args))
    }
  }
  expect([...outputs.keys()]).toEqual(
    expect.arrayContaining([
      'evaluate',
      'train',
      'eval show',
      'traces list',
      'traces show',
      'models show',
      'jobs list',
      'eval compare',
      'eval gate',
    ]),
  )
  expect(outputs.get('train')?.split('\n')).toHaveLength(roundsOfPage)
  expect(outputs.get('traces list')).toContain('trajectory')
  expect(outputs.get('train from-traces')).toMatch(/^Groups +[1-9]/m)
  expect(outputs.get('traces show')).toContain('chat')
  expect(outputs.get('eval show')).toContain('answer.correct')
  expect(outputs.get('jobs list')?.match(/succeeded/g)).toHaveLength(roundsOfPage)
  const ids = [variables['$BEFORE']!, variables['$AFTER']!]
  const compared = JSON.parse(await runHeddle(['eval', 'compare', ...ids, '--project', 'acme/weather', '--json'])) as Comparison
  const { difference, paired_rows } = compared.measures.find(({ name }) => name === 'answer.correct')!
  expect(paired_rows).toBe(24)
  expect(difference.interval!.low).toBeGreaterThan(0)
})
