import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { codeBlocksIn, runNode } from '@heddle/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { bundleProgram } from '../testing/bundle-program.ts'

vi.setConfig({ testTimeout: 120_000 })

const document = 'packages/agent-instrumentation/README.md'
const readme = readFileSync(new URL(`../../../../${document}`, import.meta.url), 'utf8')
/** Peers of the packages are found from there. */
const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'heddle-attempts-'))
let server: TestServer
beforeAll(async () => {
  server = await shareBuiltTestServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test('with the span processor of the README, spans of other instrumentations name their attempt', async () => {
  const example = codeBlocksIn(document, readme).find(({ language, code }) => language === 'ts' && code.includes('TrajectorySpanProcessor'))
  const program = `${example?.code}
import { createAgentTracing } from '@heddle/agent-instrumentation'
import { trace } from '@opentelemetry/api'

const group = await createAgentTracing().group({ attempts: 1 }).run(async (trajectory) => {
  trace.getTracer('app').startSpan('search').end()
  trajectory.reward(1)
})
console.log(group.trajectories[0].metadata.trajectory_id)
`
  const project = server.newProject()
  const env = { PATH: process.env['PATH'] ?? '', HEDDLE_BASE_URL: server.url, HEDDLE_API_KEY: server.apiKey, HEDDLE_PROJECT: project }
  const path = await bundleProgram(program, folder)
  const { stdout, stderr, end } = await runNode({ args: [path], folder: packageFolder, env, timeLimitMs: 60_000 })
  expect({ stderr, end }).toEqual({ stderr: '', end: 0 })
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const { calls } = await client.calls.query({ project_id: project })
  const search = calls.find(({ op_name }) => op_name.includes('search'))
  expect(search?.attributes).toMatchObject({ heddle: { trajectory_id: stdout.trim() } })
})
