import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isApiError, tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { codeIn, runNode } from '@heddle/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { builtTestServer, createBuiltTestServer } from '../testing/built-test-server.ts'
import { bundleProgram } from '../testing/bundle-program.ts'
import type { TestServer } from './create-test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-of-test-server-'))
const clientOf = ({ url, apiKey }: TestServer) => createClient({ baseUrl: url, apiKey, contract: tracing, retries: 0 })
const record = async (server: TestServer, project_id: string) => {
  const start = { project_id, op_name: 'greet', started_at: '2026-01-02T03:04:05Z', attributes: {}, inputs: {} }
  await clientOf(server).calls.start({ start })
}
const count = async (server: TestServer, project_id: string) => (await clientOf(server).calls.queryStats({ project_id })).count
const nameIn = (weave: unknown) => {
  const { display_name, trace_name } = weave as { display_name?: string; trace_name?: string }
  return display_name ?? trace_name
}
const foldersOfServers = () => readdirSync(folder).filter((name) => name.startsWith('heddle-test-server-'))

let server: TestServer
beforeAll(async () => {
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('HEDDLE_API_KEY', 'a-key-of-the-environment')
  server = await createBuiltTestServer()
})
afterAll(async () => {
  await server.close()
  expect(foldersOfServers()).toEqual([])
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('each project is empty until it is written to, and of its own', async () => {
  const [one, other] = [server.newProject(), server.newProject()]
  await record(server, one)
  expect([await count(server, one), await count(server, other)]).toEqual([1, 0])
  expect(server.errors).toEqual([])
})

test('a second server has a key and data of its own, and takes them along', async () => {
  const project = server.newProject()
  await record(server, project)
  const second = await createBuiltTestServer()
  expect(await count(second, project)).toBe(0)
  const stranger = clientOf({ ...server, apiKey: second.apiKey })
  expect(await stranger.calls.queryStats({ project_id: project }).catch((error: unknown) => isApiError(error) && error.status)).toBe(401)
  expect(foldersOfServers()).toHaveLength(2)
  await Promise.all([second.close(), second.close()])
  expect(foldersOfServers()).toHaveLength(1)
  expect(await count(server, project)).toBe(1)
})

test('what the npm client records is what it and our typed client read', { timeout: 120_000 }, async () => {
  const project_id = server.newProject()
  const program = fileURLToPath(new URL('../../../tracing/src/clients/programs/js-client.mjs', import.meta.url))
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  const run = await runNode({ args: [program, project_id], folder, env, timeLimitMs: 100_000 })
  const seen = JSON.parse(run.stdout.split('\n').at(-1) || JSON.stringify(run)) as { roots: string[] }
  const { calls } = await clientOf(server).calls.query({ project_id, filter: { trace_roots_only: true } })
  expect(seen.roots).toContain('Answer: Why?')
  expect(calls.map(({ summary }) => nameIn(summary?.['weave']))).toEqual(seen.roots)
  expect(server.errors).toEqual([])
})

test('settings of the environment are not those of the server', async () => {
  const client = clientOf({ ...server, apiKey: 'a-key-of-the-environment' })
  await expect(client.calls.queryStats({ project_id: server.newProject() })).rejects.toMatchObject({ status: 401 })
})

test('the example of the README runs', { timeout: 120_000 }, async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [example = ''] = codeIn(readme.slice(readme.indexOf('## Testing agents')), 'ts')
  const path = await bundleProgram(example.replace("'heddle/testing'", `'${builtTestServer}'`), folder)
  const env = { PATH: process.env['PATH'] ?? '' }
  const run = await runNode({ args: [path], folder, env, timeLimitMs: 100_000 })
  expect(run).toEqual({ stdout: 'plan a trip: Oslo in two days\n', stderr: '', end: 0 })
})
