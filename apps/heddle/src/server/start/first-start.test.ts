import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RelationalStore, openSqlite } from '@heddle/datastore'
import { createIdentity, type Identity, type IdentityStore, sqlIdentityStore } from '@heddle/identity'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureAdminKey, hasUsableKey } from './first-start.ts'

const clock = () => 1_700_000_000_000_000
const configured = 'a-key-of-our-own-making'

let dataDir: string
let database: RelationalStore
let store: IdentityStore
let identity: Identity

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'heddle-first-start-'))
  database = await openSqlite(join(dataDir, 'heddle.db'))
  store = sqlIdentityStore(database)
  identity = createIdentity({ store, clock })
})
afterEach(async () => {
  await database.destroy()
  await rm(dataDir, { recursive: true })
})

const start = (apiKey?: string) => ensureAdminKey({ store, dataDir, clock, apiKey })
const secretInFile = async () => (await readFile(join(dataDir, 'admin-key'), 'utf8')).trim()

test('the first start makes an admin key that only its owner can read', async () => {
  expect(await start()).toEqual({ source: 'file', path: join(dataDir, 'admin-key'), isNew: true })
  expect((await stat(join(dataDir, 'admin-key'))).mode & 0o777).toBe(0o600)
  const caller = await identity.authenticate(await secretInFile())
  expect(caller).toMatchObject({ userId: 'admin', access: { role: 'admin', entity: '*' } })
})

test('the next start keeps it', async () => {
  await start()
  const secret = await secretInFile()
  expect(await start()).toMatchObject({ source: 'file', isNew: false })
  expect(await secretInFile()).toBe(secret)
  expect(await store.listKeys()).toHaveLength(1)
})

test('a file that was written before a crash is taken up', async () => {
  await start()
  for (const key of await store.listKeys()) await store.deleteKey(key.id)
  await start()
  await expect(identity.authenticate(await secretInFile())).resolves.toMatchObject({ userId: 'admin' })
})

test('a revoked admin key stays revoked, and no other takes its place', async () => {
  await start()
  const [key] = await store.listKeys()
  await store.revokeKey(key?.id ?? '', clock())
  expect(await start()).toEqual({ source: 'none' })
  expect(await hasUsableKey({ store, clock })).toBe(false)
})

test('a removed file is not replaced while another key is usable', async () => {
  await start()
  await rm(join(dataDir, 'admin-key'))
  expect(await start()).toEqual({ source: 'none' })
})

test('an empty file is an error, not a key', async () => {
  await writeFile(join(dataDir, 'admin-key'), '\n')
  await expect(start()).rejects.toThrow(/admin-key is empty; remove it/)
})

test('a configured key is the admin key, and no file is written', async () => {
  expect(await start(configured)).toEqual({ source: 'configuration' })
  await expect(identity.authenticate(configured)).resolves.toMatchObject({ userId: 'admin', access: { role: 'admin' } })
  await expect(secretInFile()).rejects.toThrow('ENOENT')
})

test('a configured key ends when another is configured, and comes back with it', async () => {
  await start(configured)
  await start('another-key-of-our-own')
  await expect(createIdentity({ store, clock }).authenticate(configured)).rejects.toMatchObject({ status: 401 })
  await start(configured)
  await expect(createIdentity({ store, clock }).authenticate(configured)).resolves.toMatchObject({ userId: 'admin' })
})

test('a configured key ends when none is configured', async () => {
  await start(configured)
  await start()
  await expect(createIdentity({ store, clock }).authenticate(configured)).rejects.toMatchObject({ status: 401 })
})

test('a configured key that was revoked stops the start', async () => {
  await start(configured)
  const [key] = await store.listKeys()
  await store.revokeKey(key?.id ?? '', clock())
  await expect(start(configured)).rejects.toThrow(/has been revoked; set another/)
  await expect(start()).resolves.toMatchObject({ source: 'file' })
})
