import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RelationalStore, openSqlite } from '@heddle/datastore'
import { createIdentity, type Identity, type NewKey, sqlIdentityStore } from '@heddle/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { graphqlHandler } from './graphql.ts'

let folder: string
let database: RelationalStore
let identity: Identity

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-graphql-'))
  database = await openSqlite(join(folder, 'heddle.db'))
  identity = createIdentity({ store: sqlIdentityStore(database), clock: () => 1_700_000_000_000_000 })
})
afterAll(async () => {
  await database.destroy()
  await rm(folder, { recursive: true })
})

const viewer = 'query Viewer { viewer { username defaultEntity { name } } }'
const project = 'query Project($name: String!, $entityName: String!) { project(name: $name, entityName: $entityName) { name } }'
const upsert = `mutation UpsertModel($name: String!, $entity: String!, $description: String) {
  upsertModel(input: { name: $name, entityName: $entity, description: $description }) { model { name description } inserted }
}`

async function post(body: unknown, key: Partial<NewKey> = {}): Promise<{ status: number; type: string | null; body: unknown }> {
  const { secret } = await identity.createKey({ name: 'ada', role: 'writer', ...key })
  const caller = await identity.authenticate(secret)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = new Request('http://localhost/graphql', { method: 'POST', body: text })
  const response = await graphqlHandler({ identity })(request, caller)
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

test('a viewer has both a user name and a default entity', async () => {
  const answer = await post({ query: viewer })
  expect(answer).toEqual({
    status: 200,
    type: 'application/json',
    body: { data: { viewer: { username: 'ada', defaultEntity: { name: 'local' } } } },
  })
})

test('the default entity is that of the key', async () => {
  expect((await post({ query: viewer }, { entity: 'acme' })).body).toMatchObject({ data: { viewer: { defaultEntity: { name: 'acme' } } } })
})

test('a project is null until it is created, and found afterwards', async () => {
  const variables = { name: 'chat', entityName: 'acme' }
  expect((await post({ query: project, variables })).body).toEqual({ data: { project: null } })
  expect((await post({ query: upsert, variables: { name: 'chat', entity: 'acme', description: 'ours' } })).body).toEqual({
    data: { upsertModel: { model: { name: 'chat', description: null } } },
  })
  expect((await post({ query: project, variables })).body).toEqual({ data: { project: { name: 'chat' } } })
})

test('creating a project again finds it', async () => {
  const variables = { name: 'again', entity: 'acme' }
  const first = await post({ query: upsert, variables })
  expect(await post({ query: upsert, variables })).toEqual(first)
})

test('a project without entity is searched for in that of the caller', async () => {
  await post({ query: upsert, variables: { name: 'mine' } }, { entity: 'acme' })
  expect((await post({ query: project, variables: { name: 'mine', entityName: 'acme' } })).body).toEqual({
    data: { project: { name: 'mine' } },
  })
})

test('a key that only sends starts a client, too', async () => {
  const variables = { name: 'sent', entityName: 'acme' }
  expect((await post({ query: project, variables }, { role: 'ingest' })).body).toEqual({ data: { project: { name: 'sent' } } })
})

test.each([
  ['a project of another entity', { query: project, variables: { name: 'chat', entityName: 'other' } }, { entity: 'acme' }],
  ['creating one there', { query: upsert, variables: { name: 'chat', entity: 'other' } }, { entity: 'acme' }],
  ['creating one with a key that only reads', { query: upsert, variables: { name: 'new', entity: 'acme' } }, { role: 'reader' as const }],
  ['the project of switched-off clients', { query: project, variables: { name: 'DISABLED', entityName: 'DISABLED' } }, {}],
])('%s is a permission error that the client can show', async (_case, body, key) => {
  const answer = await post(body, key)
  expect(answer).toMatchObject({ status: 200, body: { errors: [{ extensions: { code: 'PERMISSION_ERROR' } }] } })
})

test.each([
  ['a name with a slash', { query: project, variables: { name: 'a/b', entityName: 'acme' } }],
  ['a reserved entity', { query: project, variables: { name: 'a', entityName: 'traces' } }],
  ['no name', { query: upsert, variables: { entity: 'acme' } }],
  ['variables that are not an object', { query: upsert, variables: 7 }],
])('%s is an error that the client can show', async (_case, body) => {
  const answer = await post(body)
  expect(answer).toMatchObject({ status: 200, body: { errors: [{ message: expect.stringContaining('project_id') }] } })
})

test('other documents are not supported', async () => {
  const query = 'query ServerInfo { serverInfo { cliVersionInfo } }'
  expect((await post({ query })).body).toEqual({ errors: [{ message: 'unsupported' }] })
})

test.each([['nonsense'], ['[]'], ['{}'], ['{"query": 7}'], ['null'], ['']])('a body of %j is refused', async (body) => {
  await expect(post(body)).rejects.toMatchObject({ status: 400 })
})
