import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RelationalStore, openSqlite } from '@heddle/datastore'
import { openPostgres } from '@heddle/datastore/postgres'
import { sliceOfCases } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createIdentity, type Identity } from './identity.ts'
import { sqlIdentityStore } from './identity-store.sql.ts'
import type { NewKey } from './keyring.ts'

const start = 1_700_000_000_000_000
const second = 1_000_000
const work = { caller: '', signal: new AbortController().signal }
const unauthenticated = { status: 401 }
const forbidden = { status: 403, message: 'Forbidden' }

describe.each(['sqlite', 'postgres'] as const)('identity on %s', (kind) => {
  const isWhole = kind === 'sqlite'
  let folder: string
  let db: RelationalStore
  let now = start

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'heddle-identity-'))
    db = kind === 'sqlite' ? await openSqlite(join(folder, 'heddle.db')) : await openPostgres(inject('postgresUrl'))
  })
  afterAll(async () => {
    await db.destroy()
    await rm(folder, { recursive: true })
  })

  const open = (): Identity => createIdentity({ store: sqlIdentityStore(db), clock: () => now })
  const newEntity = () => `e-${randomUUID()}`

  async function aKey(identity: Identity, key: Partial<NewKey> = {}) {
    const { secret, key: info } = await identity.createKey({ name: 'test', role: 'writer', ...key })
    return { secret, id: info.id, caller: await identity.authenticate(secret) }
  }

  test('a key authenticates as its user', async () => {
    const { caller, id } = await aKey(open(), { userId: 'ada', entity: 'acme' })
    expect(caller).toMatchObject({ keyId: id, userId: 'ada', username: 'ada', entity: 'acme' })
  })

  test('a caller of every entity has a default entity', async () => {
    expect((await aKey(open())).caller.entity).toBe('local')
  })

  test('a project is opened again for work that outlives its request, with the internal id that it got', async () => {
    const identity = open()
    const { caller } = await aKey(identity)
    const id = `${newEntity()}/project`
    const before = await identity.contextFor(caller, 'write', work).open(id)
    const { signal } = new AbortController()
    const after = await identity.openForWork(id, { caller: 'jobs', signal })
    expect(after).toMatchObject({ id, internalId: before.internalId, tenant: { caller: 'jobs', project: id }, signal })
  })

  test('a missing, an unknown and a mistyped key are rejected alike', async () => {
    const identity = open()
    const { secret } = await aKey(identity)
    const wrong = [undefined, '', 'nonsense', `${secret}x`, secret.slice(1), secret.toUpperCase(), `${secret.slice(0, -1)}!`]
    for (const attempt of wrong) await expect(identity.authenticate(attempt)).rejects.toMatchObject(unauthenticated)
  })

  test('the store contains no secret', async () => {
    const { secret } = await aKey(open())
    const rows = await db.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('a revoked key is rejected at once, here and on another server that has just accepted it', async () => {
    const [here, elsewhere] = [open(), open()]
    const { secret, id } = await aKey(here)
    await elsewhere.authenticate(secret)
    await here.revokeKey(id)
    await expect(here.authenticate(secret)).rejects.toMatchObject(unauthenticated)
    await expect(elsewhere.authenticate(secret)).rejects.toMatchObject(unauthenticated)
  })

  test('revoking again keeps the first revocation time, and an unknown id is not found', async () => {
    const identity = open()
    const { id } = await aKey(identity)
    await identity.revokeKey(id)
    const first = now
    now += second
    await identity.revokeKey(id)
    expect((await identity.listKeys()).find((key) => key.id === id)?.revoked_at).toBe(first)
    await expect(identity.revokeKey('missing')).rejects.toMatchObject({ status: 404 })
  })

  test('a key expires on time, even when cached', async () => {
    const identity = open()
    const { secret } = await aKey(identity, { expiresAt: now + second })
    now += second
    await expect(identity.authenticate(secret)).rejects.toMatchObject(unauthenticated)
  })

  test('a clock that jumps neither ends a key permanently nor revives one, and its last use is still updated', async () => {
    const identity = open()
    const day = 86_400 * second
    const expiresAt = now + day
    const { secret, id } = await aKey(identity, { expiresAt })
    const { secret: revoked, id: revokedId } = await aKey(identity)
    await identity.revokeKey(revokedId)
    const authenticateNow = async () => {
      await expect(identity.authenticate(secret)).resolves.toMatchObject({ keyId: id })
      const lastUse = async () => (await identity.listKeys()).find((key) => key.id === id)?.last_used_at
      await expect.poll(lastUse).toBe(now)
    }
    for (const jump of [-3_650 * day, 3_650 * day, 3_650 * day, -3_650 * day]) {
      now += jump
      if (now < expiresAt) await authenticateNow()
      else await expect(identity.authenticate(secret)).rejects.toMatchObject(unauthenticated)
      await expect(identity.authenticate(revoked)).rejects.toMatchObject(unauthenticated)
    }
    now -= day
    await authenticateNow()
    now += day
  })

  test('a session acts for the key that started it, on every server, until it is ended', async () => {
    const [here, elsewhere] = [open(), open()]
    const { caller } = await aKey(here, { userId: 'ada', scopes: ['read'] })
    const { token } = await here.startSession(caller)
    expect(await elsewhere.authenticate(token)).toEqual(caller)
    await elsewhere.endSession(token)
    await elsewhere.endSession(token)
    await expect(here.authenticate(token)).rejects.toMatchObject(unauthenticated)
  })

  test('a session ends with its key: revoked, or expired', async () => {
    const identity = open()
    const [revoked, expiring] = [await aKey(identity), await aKey(identity, { expiresAt: now + second })]
    const sessions = [await identity.startSession(revoked.caller), await identity.startSession(expiring.caller)]
    await identity.revokeKey(revoked.id)
    now += second
    for (const { token } of sessions) await expect(identity.authenticate(token)).rejects.toMatchObject(unauthenticated)
  })

  test('a session ends after seven days, however much it is used', async () => {
    const identity = open()
    const { caller } = await aKey(identity)
    const { token, expiresAt } = await identity.startSession(caller)
    expect(expiresAt).toBe(now + 7 * 86_400 * second)
    now = expiresAt - 1
    await identity.authenticate(token)
    now++
    await expect(identity.authenticate(token)).rejects.toMatchObject(unauthenticated)
  })

  test('a key has at most a hundred sessions: one more ends the oldest, and only of that key', async () => {
    const identity = open()
    const [{ caller }, { caller: other }] = [await aKey(identity), await aKey(identity)]
    const kept = await identity.startSession(other)
    const tokens: string[] = []
    for (let count = 0; count < 101; count++) {
      now++
      tokens.push((await identity.startSession(caller)).token)
    }
    await expect(identity.authenticate(tokens[0])).rejects.toMatchObject(unauthenticated)
    for (const token of [tokens[1], tokens.at(-1), kept.token]) await expect(identity.authenticate(token)).resolves.toBeDefined()
  })

  test('the store contains no token of a session', async () => {
    const identity = open()
    const { token } = await identity.startSession((await aKey(identity)).caller)
    expect(JSON.stringify(await db.selectFrom('sessions').selectAll().execute())).not.toContain(token)
    await expect(identity.authenticate(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).rejects.toMatchObject(unauthenticated)
  })

  test('a sign-in link signs in once, on any server, as the key that made it', async () => {
    const [here, elsewhere] = [open(), open()]
    const { caller } = await aKey(here, { userId: 'ada', scopes: ['read'] })
    const { token, expiresAt } = await here.createSignInLink(caller)
    expect(expiresAt).toBe(now + 600 * second)
    expect(await elsewhere.redeemSignInLink(token)).toEqual(caller)
    for (const server of [here, elsewhere]) await expect(server.redeemSignInLink(token)).rejects.toMatchObject(unauthenticated)
  })

  test('of many who use a sign-in link at once, one is signed in', async () => {
    const servers = [open(), open(), open()]
    const { token } = await servers[0]!.createSignInLink((await aKey(servers[0]!)).caller)
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => servers[index % 3]!.redeemSignInLink(token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a sign-in link ends after ten minutes, and with its key: revoked, or expired', async () => {
    const identity = open()
    const [late, revoked, expiring] = [await aKey(identity), await aKey(identity), await aKey(identity, { expiresAt: now + second })]
    const links = await Promise.all([late, revoked, expiring].map(({ caller }) => identity.createSignInLink(caller)))
    await identity.revokeKey(revoked.id)
    now += second
    for (const { token } of links.slice(1)) await expect(identity.redeemSignInLink(token)).rejects.toMatchObject(unauthenticated)
    now = links[0]!.expiresAt
    await expect(identity.redeemSignInLink(links[0]!.token)).rejects.toMatchObject(unauthenticated)
  })

  test('a guessed sign-in link, a session and a key are not accepted as sign-in links, nor a link as a key', async () => {
    const identity = open()
    const { caller, secret } = await aKey(identity)
    const [link, session] = [await identity.createSignInLink(caller), await identity.startSession(caller)]
    const guessed = `${link.token.slice(0, -1)}${link.token.endsWith('A') ? 'B' : 'A'}`
    for (const token of [guessed, session.token, secret, '', 'hl_'])
      await expect(identity.redeemSignInLink(token)).rejects.toMatchObject(unauthenticated)
    await expect(identity.authenticate(link.token)).rejects.toMatchObject(unauthenticated)
    expect(await identity.redeemSignInLink(link.token)).toEqual(caller)
  })

  test('a key has at most twenty unused sign-in links: one more ends the oldest, and only of that key', async () => {
    const identity = open()
    const [{ caller }, { caller: other }] = [await aKey(identity), await aKey(identity)]
    const kept = await identity.createSignInLink(other)
    const tokens: string[] = []
    for (let count = 0; count < 21; count++) {
      now++
      tokens.push((await identity.createSignInLink(caller)).token)
    }
    await expect(identity.redeemSignInLink(tokens[0]!)).rejects.toMatchObject(unauthenticated)
    for (const token of [tokens[1]!, tokens.at(-1)!, kept.token]) await expect(identity.redeemSignInLink(token)).resolves.toBeDefined()
  })

  test('the store contains no token of a sign-in link', async () => {
    const identity = open()
    const { token } = await identity.createSignInLink((await aKey(identity)).caller)
    expect(JSON.stringify(await db.selectFrom('sign_in_links').selectAll().execute())).not.toContain(token)
  })

  test('the last use is stored to the minute', async () => {
    const identity = open()
    const lastUse = async () => (await identity.listKeys()).find((key) => key.id === id)?.last_used_at
    const { secret, id } = await aKey(identity)
    const first = now
    await expect.poll(lastUse).toBe(first)
    now += 10 * second
    await identity.authenticate(secret)
    expect(await lastUse()).toBe(first)
    now += 60 * second
    await identity.authenticate(secret)
    await expect.poll(lastUse).toBe(now)
  })

  test('keys are listed newest first, with their permissions and without their hash', async () => {
    const identity = open()
    const entity = newEntity()
    now += second
    await aKey(identity)
    now += second
    const projects = [{ project_id: `${entity}/a`, role: 'ingest' as const }]
    const { id } = await aKey(identity, { name: 'narrow', scopes: ['write', 'read'], projects })
    const [newest] = await identity.listKeys()
    expect(newest).toMatchObject({ id, name: 'narrow', entity, role: 'writer', scopes: ['read', 'write'], projects })
    expect(newest).not.toHaveProperty('hash')
  })

  test.each<[string, Partial<NewKey>]>(
    sliceOfCases(
      [
        ['no name', { name: '' }],
        ['a name with an escape sequence', { name: '\u001b[31m' }],
        ['a time in the past', { expiresAt: start - 1 }],
        ['a malformed project', { projects: [{ project_id: 'nope', role: 'reader' }] }],
        ['a reserved entity', { entity: 'traces' }],
        ['a project of another entity', { entity: 'acme', projects: [{ project_id: 'other/a', role: 'reader' }] }],
      ],
      { isWhole },
    ),
  )('a key with %s is rejected', async (_case, key) => {
    await expect(open().createKey({ name: 'test', role: 'reader', ...key })).rejects.toMatchObject({ status: 400 })
  })

  test('the first write creates a project; its internal id is stable and contains no slash', async () => {
    const id = `${newEntity()}/chat`
    const { caller } = await aKey(open())
    const created = await open().contextFor(caller, 'write', work).open(id)
    expect(Buffer.from(created.internalId, 'base64').toString()).toMatch(/^ProjectInternalId:\d+$/)
    expect(created.internalId).not.toContain('/')
    expect(await open().contextFor(caller, 'write', work).open(id)).toEqual(created)
    expect(await open().contextFor(caller, 'read', work).open(id)).toEqual({ ...created, isWriting: false })
  })

  test('its reads are consistent where the request writes, and where work in the background does', async () => {
    const id = `${newEntity()}/chat`
    const { caller } = await aKey(open(), { role: 'admin' })
    const opened = ['write', 'destroy', 'read'] as const
    const scopes = await Promise.all(opened.map((effect) => open().contextFor(caller, effect, work).open(id)))
    expect(scopes.map(({ isWriting }) => isWriting)).toEqual([true, true, false])
    expect((await open().openForWork(id, work)).isWriting).toBe(true)
  })

  test.each(['read', 'destroy'] as const)(
    'to %s in an unknown project returns a scope without an internal id and creates nothing',
    async (effect) => {
      const id = `${newEntity()}/chat`
      const { caller } = await aKey(open(), { role: 'admin' })
      expect(await open().contextFor(caller, effect, work).open(id)).toMatchObject({ id, internalId: '' })
      expect(await db.selectFrom('projects').select('id').where('id', '=', id).execute()).toEqual([])
    },
  )

  test('concurrent first writes create one project', async () => {
    const id = `${newEntity()}/chat`
    const { caller } = await aKey(open())
    const scopes = await Promise.all(Array.from({ length: 20 }, () => open().contextFor(caller, 'write', work).open(id)))
    expect(new Set(scopes.map((scope) => scope.internalId)).size).toBe(1)
  })

  test('projects created concurrently have distinct internal ids', async () => {
    const entity = newEntity()
    const { caller } = await aKey(open())
    const context = open().contextFor(caller, 'write', work)
    const scopes = await Promise.all(Array.from({ length: 20 }, (_, index) => context.open(`${entity}/${index}`)))
    expect(new Set(scopes.map((scope) => scope.internalId)).size).toBe(20)
  })

  test('a project that the key may not access is forbidden, whether or not it exists', async () => {
    const identity = open()
    const [mine, other] = [newEntity(), newEntity()]
    const { caller: stranger } = await aKey(identity)
    await identity.contextFor(stranger, 'write', work).open(`${other}/there`)
    const { caller } = await aKey(identity, { entity: mine })
    for (const name of ['there', 'not-there']) {
      await expect(identity.contextFor(caller, 'read', work).open(`${other}/${name}`)).rejects.toMatchObject(forbidden)
    }
  })

  test('a project opened for one caller stays forbidden to another', async () => {
    const identity = open()
    const id = `${newEntity()}/chat`
    const { caller } = await aKey(identity)
    await identity.contextFor(caller, 'write', work).open(id)
    const { caller: ingest } = await aKey(identity, { role: 'ingest' })
    await expect(identity.contextFor(ingest, 'read', work).open(id)).rejects.toMatchObject(forbidden)
    await expect(identity.contextFor(caller, 'destroy', work).open(id)).rejects.toMatchObject(forbidden)
  })

  test('without a caller there is neither a user nor a project', async () => {
    const context = open().contextFor(undefined, 'read', work)
    expect(() => context.caller).toThrow(expect.objectContaining(unauthenticated))
    await expect(context.open('acme/chat')).rejects.toMatchObject(unauthenticated)
  })

  test('a malformed project id is a bad request', async () => {
    const { caller } = await aKey(open())
    await expect(open().contextFor(caller, 'read', work).open('chat')).rejects.toMatchObject({ status: 400 })
  })
})

test('a key still authenticates when its last use cannot be written', async () => {
  const errors: unknown[] = []
  const folder = await mkdtemp(join(tmpdir(), 'heddle-identity-'))
  const db = await openSqlite(join(folder, 'heddle.db'))
  const store = { ...sqlIdentityStore(db), setLastUsed: () => Promise.reject(new Error('disk full')) }
  const identity = createIdentity({ store, clock: () => start, onLastUsedError: (error) => errors.push(error) })
  const { secret } = await identity.createKey({ name: 'test', role: 'reader' })
  await expect(identity.authenticate(secret)).resolves.toMatchObject({ userId: 'test' })
  expect(errors).toEqual([new Error('disk full')])
  await db.destroy()
  await rm(folder, { recursive: true })
})
