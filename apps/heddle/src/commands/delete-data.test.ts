import { mkdtempSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommandHere } from '../testing/run-command.ts'

let server: TestServer
const folder = mkdtempSync(join(tmpdir(), 'heddle-delete-'))
beforeAll(async () => {
  server = await shareBuiltTestServer()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

function projectWith(users: readonly string[]) {
  const project_id = server.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const at = new Date().toISOString()
  const rest = { op_name: 'step', started_at: at, ended_at: at, inputs: {}, output: null, summary: {} }
  const batch = users.map((user_id) => ({ ...rest, project_id, id: randomUUID(), trace_id: randomUUID(), attributes: { user_id } }))
  const run = (...args: string[]) =>
    runCommandHere(['delete', ...args, '--url', server.url, '--project', project_id], {
      HEDDLE_API_KEY: server.apiKey,
      HEDDLE_DATA_DIR: folder,
    })
  const left = async () => (await client.calls.query({ project_id })).calls.map(({ attributes }) => attributes['user_id']).toSorted()
  return { project_id, recorded: () => client.calls.complete({ entity, project, batch }), run, left }
}

test('a user is deleted once that is confirmed, and the receipt is printed as JSON', { timeout: 120_000 }, async () => {
  const { project_id, recorded, run, left } = projectWith(['ann', 'ann', 'bob'])
  await recorded()
  const counted = await run('user', 'ann', '--dry-run')
  expect(counted).toMatchObject({ code: 0, note: expect.stringContaining(`${project_id}: 2 calls`) as string })
  expect(JSON.parse(counted.out)).toMatchObject({ calls: 2, feedback: 0 })
  const unconfirmed = await run('user', 'ann')
  expect(unconfirmed).toMatchObject({ out: '', note: expect.stringContaining('add --yes') as string })
  expect(unconfirmed.code).not.toBe(0)
  expect(await left()).toEqual(['ann', 'ann', 'bob'])

  const deleted = await run('user', 'ann', '--yes')
  expect(deleted.code).toBe(0)
  const receipt = JSON.parse(deleted.out) as { deletion_id: string }
  expect(receipt).toMatchObject({ project_id, selection: { kind: 'user', user_id: 'ann' }, removed: { calls: 2 } })
  expect(await left()).toEqual(['bob'])
  expect((await run('list')).out).toMatch(/^REQUESTED \(UTC\) +ID +SELECTION +BY +STATE +CALLS\n.* user ann .* ended +2\n$/)
  expect(JSON.parse((await run('show', receipt.deletion_id)).out)).toMatchObject({ state: 'ended', receipt })
})

test('a query of calls is deleted, and the whole project after it', { timeout: 120_000 }, async () => {
  const { recorded, run, left } = projectWith(['ann', 'bob', 'cat'])
  await recorded()
  const query = JSON.stringify({ $expr: { $eq: [{ $getField: 'attributes.user_id' }, { $literal: 'bob' }] } })
  expect((await run('calls', '--query', query, '--yes')).code).toBe(0)
  expect(await left()).toEqual(['ann', 'cat'])
  expect(await run('calls', '--query', '{', '--yes')).toMatchObject({ note: expect.stringContaining('--query must be JSON') as string })
  expect(await run('calls', '--yes')).toMatchObject({ note: expect.stringContaining('neither filter nor query') as string })
  expect((await run('project', '--yes')).code).toBe(0)
  expect(await left()).toEqual([])
})
