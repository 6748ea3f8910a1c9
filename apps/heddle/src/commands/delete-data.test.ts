import { mkdtempSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { createBuiltTestServer, shareBuiltTestServer } from '../testing/built-test-server.ts'
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

function runDelete(...args: string[]) {
  return runDeleteAt(server, ...args)
}
function runDeleteAt({ url, apiKey }: Pick<TestServer, 'url' | 'apiKey'>, ...args: string[]) {
  return runCommandHere(['delete', ...args, '--url', url], { HEDDLE_API_KEY: apiKey, HEDDLE_DATA_DIR: folder })
}

function projectWith(users: readonly string[], at = server) {
  const project_id = at.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  const client = createClient({ baseUrl: at.url, apiKey: at.apiKey, contract: tracing })
  const time = new Date().toISOString()
  const rest = { op_name: 'step', started_at: time, ended_at: time, inputs: {}, output: null, summary: {} }
  const batch = users.map((user_id) => ({ ...rest, project_id, id: randomUUID(), trace_id: randomUUID(), attributes: { user_id } }))
  const run = (...args: string[]) => runDelete(...args, '--project', project_id)
  const left = async () => (await client.calls.query({ project_id })).calls.map(({ attributes }) => attributes['user_id']).toSorted()
  return { project_id, client, recorded: () => client.calls.complete({ entity, project, batch }), run, left }
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

test('a user is deleted in all projects at once, with a receipt for each that had data of the user', { timeout: 120_000 }, async () => {
  // The command counts in every project of the server: the shared one has those of all tests.
  const own = await createBuiltTestServer()
  onTestFinished(() => own.close())
  const user = randomUUID()
  const projects = [projectWith([user, 'bob'], own), projectWith(['bob'], own), projectWith([user, user], own)]
  for (const { recorded } of projects) await recorded()
  const everywhere = (...args: string[]) => runDeleteAt(own, 'user', user, '--all-projects', ...args)
  const [first, , last] = projects.map(({ project_id }) => project_id)
  const counted = JSON.parse((await everywhere('--dry-run')).out) as { project_id: string; found: { calls: number } }[]
  expect(new Map(counted.map(({ project_id, found }) => [project_id, found.calls]))).toEqual(
    new Map([
      [first, 1],
      [last, 2],
    ]),
  )
  expect(await everywhere()).toMatchObject({ code: 2, out: '', note: expect.stringContaining('add --yes') as string })
  expect(await Promise.all(projects.map(({ left }) => left()))).toEqual([['bob', user].toSorted(), ['bob'], [user, user]])

  const deleted = await everywhere('--yes')
  expect(deleted.code).toBe(0)
  const receipts = JSON.parse(deleted.out) as { project_id: string; removed: { calls: number } }[]
  expect(new Map(receipts.map(({ project_id, removed }) => [project_id, removed.calls]))).toEqual(
    new Map([
      [first, 1],
      [last, 2],
    ]),
  )
  expect(await Promise.all(projects.map(({ left }) => left()))).toEqual([['bob'], ['bob'], []])
  expect(await everywhere('--yes')).toMatchObject({ code: 0, out: '[]\n', note: expect.stringContaining('No project has data') as string })
})

test('a project that the key may read but not delete in is named, and the command fails', { timeout: 120_000 }, async () => {
  const { project_id, client, recorded, left } = projectWith(['ann'])
  await recorded()
  const { secret } = await client.projectKeys.create({ project_id, name: 'reads', role: 'reader' })
  expect(await runDeleteAt({ url: server.url, apiKey: secret }, 'user', 'ann', '--all-projects', '--yes')).toMatchObject({
    code: 2,
    out: '[]\n',
    note: expect.stringContaining(`the key may not delete in them: ${project_id}.`) as string,
  })
  expect(await left()).toEqual(['ann'])
})

test('a user is deleted either in one project or in all, and an id is that of one deletion', async () => {
  const either = { code: 2, note: expect.stringContaining('either --project entity/project or --all-projects') as string }
  expect(await runDelete('user', 'ann', '--yes')).toMatchObject(either)
  expect(await runDelete('user', 'ann', '--yes', '--project', 'acme/chat', '--all-projects')).toMatchObject(either)
  const withId = await runDelete('user', 'ann', '--yes', '--all-projects', '--id', randomUUID())
  expect(withId).toMatchObject({ code: 2, note: expect.stringContaining('--id is the id of one deletion') as string })
})
