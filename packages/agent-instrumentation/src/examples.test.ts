import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { JsonObject } from '@heddle/core-api'
import { isChoice, messageOf } from '@heddle/core-api/histories'
import { setTraceProcessors, setTracingDisabled } from '@openai/agents'
import { runNode } from '@heddle/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest'
import { objectsOf } from './capture/json-values.ts'
import { toolLoopByChat, toolLoopByResponses } from './testing/tool-loop.ts'
import type { RecordedGroup } from './trajectory/recorded.ts'

const chat = toolLoopByChat({ textBeforeCall: false })
const responses = toolLoopByResponses()
let logged: JsonObject[] = []

/** A stand-in for a model endpoint and the training service. */
async function respond(path: string, body: string): Promise<Response> {
  const url = `http://model.test${path}`
  if (path.endsWith('/responses')) return responses.fetch(url, { method: 'POST', body })
  if (path.endsWith('/chat/completions')) return chat.fetch(url, { method: 'POST', body })
  if (path.endsWith('/log')) logged.push(JSON.parse(body) as JsonObject)
  return Response.json({ id: 'm1' })
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', async () => {
    const result = await respond((request.url ?? '').replace(/\?.*/, ''), Buffer.concat(parts).toString())
    response.writeHead(result.status, { 'content-type': result.headers.get('content-type') ?? 'application/json' })
    response.end(Buffer.from(await result.arrayBuffer()))
  })
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubEnv('HEDDLE_BASE_URL', address)
  vi.stubEnv('OPENAI_BASE_URL', `${address}/v1`)
  vi.stubEnv('OPENAI_API_KEY', 'none')
  logged = []
})
afterEach(() => {
  vi.unstubAllEnvs()
  setTraceProcessors([])
  setTracingDisabled(true)
})

test.each(['openai-responses', 'ai-sdk', 'openai-agents', 'openai-agents-traces', 'langgraph', 'langgraph-callbacks'])(
  'the example %s runs and logs four trajectories with their choices',
  async (name) => {
    // The SDK traces nothing in tests.
    if (name === 'openai-agents-traces') setTracingDisabled(false)
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await import(`../examples/${name}.ts`)
    const [[warnings]] = log.mock.calls as [[string[]]]
    log.mockRestore()
    expect(warnings.join()).toContain('equal')
    expectFourTrajectories()
  },
)

/** Packages that are too many for this project to depend on: 400 of them come along. */
const mastra = ['@mastra/core@0.24.8', '@ai-sdk/openai@2.0.131', 'ai@5.0.277', 'zod@3.25.76']

test.each(inject('long') ? ['mastra'] : [])(
  'the example %s runs and logs four trajectories with their choices',
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-mastra-'))
    try {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
      await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...mastra], {
        cwd: folder,
        timeout: 400_000,
      })
      mkdirSync(join(folder, 'node_modules', '@heddle'))
      symlinkSync(fileURLToPath(new URL('..', import.meta.url)), join(folder, 'node_modules', '@heddle', 'agent-instrumentation'))
      copyFileSync(new URL(`../examples/${name}.mjs`, import.meta.url), join(folder, `${name}.mjs`))
      const { HEDDLE_BASE_URL = '', OPENAI_BASE_URL = '', PATH = '' } = process.env
      const env = { HEDDLE_BASE_URL, OPENAI_BASE_URL, OPENAI_API_KEY: 'none', PATH }
      const { stdout, end } = await runNode({
        args: ['--import', import.meta.resolve('tsx'), `${name}.mjs`],
        folder,
        env,
        timeLimitMs: 60_000,
      })
      expect([end, stdout]).toEqual([0, expect.stringContaining('equal')])
      expectFourTrajectories()
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
  600_000,
)

function expectFourTrajectories() {
  const [{ split, trajectory_groups: groups } = {}] = logged
  expect([logged.length, split]).toEqual([1, 'train'])
  const [group] = groups as RecordedGroup[]
  expect(group?.metadata).toMatchObject({ scenario_id: '2+2' })
  expect(group?.trajectories).toHaveLength(4)
  for (const { reward, messages_and_choices: all, additional_histories: others } of group?.trajectories ?? []) {
    expect([reward, others]).toEqual([1, []])
    const said = all.filter((element) => messageOf(element)['role'] !== 'system')
    expect(said.map((element) => (isChoice(element) ? 'choice' : element['role']))).toEqual(['user', 'choice', 'tool', 'choice'])
    const [, asked, result, last] = said.map(messageOf)
    expect(result?.['tool_call_id']).toBe(objectsOf(asked?.['tool_calls'])[0]?.['id'])
    expect(last?.['content']).toBe('it is 4')
  }
}
