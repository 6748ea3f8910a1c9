import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommandHere } from '../testing/run-command.ts'

let server: TestServer
const folder = mkdtempSync(join(tmpdir(), 'heddle-deletions-'))
beforeAll(async () => {
  server = await shareBuiltTestServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

test('how far deletions of many calls are is listed, as text and as JSON', { timeout: 120_000 }, async () => {
  const project_id = server.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  const run = (...args: string[]) =>
    runCommandHere(['traces', 'deletions', ...args, '--url', server.url, '--project', project_id], {
      HEDDLE_API_KEY: server.apiKey,
      HEDDLE_DATA_DIR: folder,
    })
  const none = await run()
  expect(none).toMatchObject({ code: 0, out: '', note: expect.stringContaining('no deletion of more than 2,000 calls') as string })

  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const [root, trace_id] = [randomUUID(), randomUUID()]
  const at = new Date().toISOString()
  const rest = { trace_id, op_name: 'step', started_at: at, ended_at: at, attributes: {}, inputs: {}, output: null, summary: {} }
  const batch = Array.from({ length: 2_500 }, (_, index) => ({
    ...rest,
    project_id,
    id: index === 0 ? root : randomUUID(),
    parent_id: index === 0 ? null : root,
  }))
  await client.calls.complete({ entity, project, batch })
  expect(await client.calls.delete({ project_id, call_ids: [root] })).toEqual({ num_deleted: 2_500 })
  await expect
    .poll(async () => (await run()).out, { timeout: 60_000 })
    .toMatch(/^DELETED \(UTC\) +KIND +TOTAL +REMOVED +STATE\n\S+ \S+ +calls +2,500 +2,500 +ended\n$/)
  expect(JSON.parse((await run('--json')).out)).toMatchObject([{ kind: 'calls', total: 2_500, removed: 2_500 }])
})
