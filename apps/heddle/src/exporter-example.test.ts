import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from './test-server/create-test-server.ts'
import { createBuiltTestServer } from './testing/built-test-server.ts'
import { runCommand } from './testing/run-command.ts'

const exporter = fileURLToPath(new URL('../../../packages/otel-exporter', import.meta.url))

let folder: string
let server: TestServer
let environment: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-example-'))
  server = await createBuiltTestServer()
  environment = { HEDDLE_DATA_DIR: folder, HEDDLE_API_KEY: server.apiKey, HEDDLE_PORT: new URL(server.url).port }
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

test(
  'the example of the exporter, with the variables that are printed and no others, is shown as a trace',
  { timeout: 120_000 },
  async () => {
    const printed = await runCommand(['print-env', '--dotenv'], environment)
    const variables = Object.fromEntries(
      printed.out
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...variables }
    const { stderr } = await promisify(execFile)('npm', ['run', '--silent', 'example'], { cwd: exporter, env })
    expect(stderr).toBe('')
    const { out } = await runCommand(['traces', 'show'], environment)
    expect(server.errors).toEqual([])
    expect(out).toMatch(/^trace [0-9a-f]{32} · .* · 2 calls\nplan a trip .*\n.*chat example-model .* ms/)
  },
)
