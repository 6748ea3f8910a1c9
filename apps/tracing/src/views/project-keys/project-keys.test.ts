import { randomUUID } from 'node:crypto'
import type { NewKey } from '@heddle/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, record } from '../../contract-tests/testing/call-builders.ts'
import { createTestClient, startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'

let app: TestApp
const entity = `keys-${randomUUID()}`
const project_id = `${entity}/a`
beforeAll(async () => {
  app = await startTestApp()
  await record(app.client, aCall({ project_id }))
})
afterAll(() => app.close())

const clientWith = (key: Partial<NewKey>) => app.clientFor({ name: `key-${randomUUID()}`, role: 'admin', ...key })
const namesFor = async (client: TestClient) => (await client.projectKeys.query({ project_id, limit: 100 })).keys.map(({ name }) => name)
const aName = () => `made-${randomUUID()}`

test('a key that is made is shown once, works in its project alone, and ends when it is revoked', async () => {
  const admin = await clientWith({ entity })
  const { secret, key } = await admin.projectKeys.create({
    project_id,
    name: aName(),
    role: 'writer',
    scopes: ['read'],
    expires_in_days: 2,
  })
  expect(key).toMatchObject({ role: 'writer', scopes: ['read'], reach: 'project', is_own: false, last_used_at: null, revoked_at: null })
  expect(Math.round((Date.parse(key.expires_at ?? '') - Date.parse(key.created_at)) / 3_600_000)).toBe(48)
  const listed = await admin.projectKeys.query({ project_id })
  expect(listed.keys[0]).toEqual(key)
  expect(JSON.stringify(listed)).not.toContain(secret)
  const made = createTestClient(app.service, secret)
  expect((await made.calls.queryStats({ project_id })).count).toBe(1)
  await expect(made.calls.queryStats({ project_id: `${entity}/b` })).rejects.toMatchObject({ status: 403 })
  await expect(record(made, aCall({ project_id }))).rejects.toMatchObject({ status: 403 })
  expect((await admin.projectKeys.revoke({ project_id, key_id: key.id })).revoked_at).not.toBeNull()
  await expect(made.calls.queryStats({ project_id })).rejects.toMatchObject({ status: 401 })
  expect((await admin.projectKeys.query({ project_id })).keys[0]).toMatchObject({ id: key.id, revoked_at: expect.any(String) })
})

test('a key says where it records chats, in its list too, and an id that no header can have is refused', async () => {
  const create = (recording: object | null) =>
    app.client.projectKeys.create({ project_id, name: aName(), role: 'writer', recording } as Parameters<
      TestClient['projectKeys']['create']
    >[0])
  const { key } = await create({ group_id: 'nightly' })
  expect(key.recording).toEqual({ trajectory_id: null, group_id: 'nightly' })
  expect((await app.client.projectKeys.query({ project_id })).keys).toContainEqual(key)
  expect((await create(null)).key.recording).toBeNull()
  for (const id of ['', 'a b', 'ä', 'x'.repeat(201)]) await expect(create({ trajectory_id: id })).rejects.toMatchObject({ status: 422 })
})

test.each([
  ['a reader', { entity, role: 'reader' }],
  ['a writer', { entity, role: 'writer' }],
  ['a sender', { entity, role: 'ingest' }],
  ['an administrator without all effects', { entity, scopes: ['destroy'] }],
  ['an administrator of another entity', { entity: 'elsewhere' }],
  ['an administrator of another project', { projects: [{ project_id: `${entity}/b`, role: 'admin' }] }],
] as const)('%s neither sees, makes nor revokes keys', async (_, access) => {
  const client = await clientWith(access as Partial<NewKey>)
  const { key } = await app.client.projectKeys.create({ project_id, name: aName(), role: 'reader' })
  await expect(client.projectKeys.query({ project_id })).rejects.toMatchObject({ status: 403 })
  await expect(client.projectKeys.create({ project_id, name: aName(), role: 'reader' })).rejects.toMatchObject({ status: 403 })
  await expect(client.projectKeys.revoke({ project_id, key_id: key.id })).rejects.toMatchObject({ status: 403 })
})

test('an administrator sees and revokes only keys that reach no further than its own', async () => {
  const [wide, other, both, mine] = [aName(), aName(), aName(), aName()]
  const wideKey = await app.identity.createKey({ name: wide, role: 'reader', entity })
  await app.identity.createKey({ name: other, role: 'reader', projects: [{ project_id: `${entity}/b`, role: 'reader' }] })
  const projects = [project_id, `${entity}/b`].map((id) => ({ project_id: id, role: 'reader' as const }))
  await app.identity.createKey({ name: both, role: 'reader', projects })
  await app.client.projectKeys.create({ project_id, name: mine, role: 'admin' })
  const ofProject = await clientWith({ projects: [{ project_id, role: 'admin' }] })
  const seen = await namesFor(ofProject)
  expect([wide, other, both, mine].map((name) => seen.includes(name))).toEqual([false, false, false, true])
  await expect(ofProject.projectKeys.revoke({ project_id, key_id: wideKey.key.id })).rejects.toMatchObject({ status: 404 })
  const seenByEntity = await namesFor(await clientWith({ entity }))
  expect([wide, other, both, mine].map((name) => seenByEntity.includes(name))).toEqual([true, false, true, true])
})

test('a key is valid for no longer than the one that made it', async () => {
  const expiresAt = Date.now() * 1_000 + 86_400_000_000
  const admin = await clientWith({ entity, expiresAt })
  const { key } = await admin.projectKeys.create({ project_id, name: aName(), role: 'reader' })
  expect(Date.parse(key.expires_at ?? '')).toBe(Math.floor(expiresAt / 1_000))
  await expect(admin.projectKeys.create({ project_id, name: aName(), role: 'reader', expires_in_days: 3 })).rejects.toMatchObject({
    status: 400,
  })
})

test('the key of a request is marked, and cannot be revoked with itself', async () => {
  const { secret, key } = await app.client.projectKeys.create({ project_id, name: aName(), role: 'admin' })
  const own = createTestClient(app.service, secret)
  expect((await own.projectKeys.query({ project_id })).keys.find(({ is_own }) => is_own)?.id).toBe(key.id)
  await expect(own.projectKeys.revoke({ project_id, key_id: key.id })).rejects.toThrow('is that of this request')
})

test('pages of keys follow each other', async () => {
  const one = `${entity}/paged`
  for (const name of ['1', '2', '3']) await app.client.projectKeys.create({ project_id: one, name: `${name}-${entity}`, role: 'reader' })
  const admin = await clientWith({ projects: [{ project_id: one, role: 'admin' }] })
  const first = await admin.projectKeys.query({ project_id: one, limit: 3 })
  const rest = await admin.projectKeys.query({ project_id: one, limit: 3, after: first.keys.at(-1)?.id ?? null })
  expect([first.keys.length, first.has_more, rest.keys.length, rest.has_more]).toEqual([3, true, 1, false])
  await expect(admin.projectKeys.query({ project_id: one, after: 'none' })).rejects.toMatchObject({ status: 404 })
})
