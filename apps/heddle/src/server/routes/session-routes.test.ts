import { createFailedLogins, serve, serviceOf, mount, readCredential, type RunningServer } from '@heddle/service-kit'
import { createIdentity, sqlIdentityStore, type Caller, type Identity } from '@heddle/identity'
import { shareTestStores } from '@heddle/datastore/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionRoutes } from './session-routes.ts'

let identity: Identity
let server: RunningServer
let below: RunningServer
let base: string
const log: string[] = []
const writeLog = (...entry: unknown[]) => void log.push(JSON.stringify(entry))
const failedLogins = createFailedLogins({ nowMs: () => 0, pause: async () => undefined, burst: 1_000 })

function start(basePath: string): Promise<RunningServer> {
  const service = mount<Record<string, never>, Caller, unknown>({
    name: 'test',
    resources: {},
    handlers: {},
    authenticate: (request) => identity.authenticate(readCredential(request.headers)),
    context: () => undefined,
    raw: sessionRoutes({ identity, failedLogins, basePath }),
    log: { info: writeLog, error: writeLog },
  })
  return serve({ ...serviceOf([service]), host: '127.0.0.1', port: 0, basePath })
}

beforeAll(async () => {
  const { database } = await shareTestStores()
  identity = createIdentity({ store: sqlIdentityStore(database), clock: () => Date.now() * 1_000 })
  server = await start('')
  below = await start('/tools/heddle')
  base = `${server.url}/session`
})
afterAll(() => Promise.all([server.close(), below.close()]))

const aKey = () => identity.createKey({ name: 'ada', role: 'writer', entity: 'acme' })
const signIn = (secret: string, headers: Record<string, string> = {}) =>
  fetch(base, { method: 'POST', headers: { authorization: `Bearer ${secret}`, ...headers } })
const own = { 'sec-fetch-site': 'same-origin' }
/** The cookie of an answer as a browser sends it back. */
const cookieOf = (answer: Response) => ({ cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', ...own })

test('a browser signs in with a key, is known by its cookie, and signs out', async () => {
  const answer = await signIn((await aKey()).secret)
  const who = { username: 'ada', entity: 'acme', role: 'writer', scopes: [], projects: [] }
  expect(await answer.json()).toEqual(who)
  const session = cookieOf(answer)
  expect(await (await fetch(base, { headers: session })).json()).toEqual(who)
  const end = await fetch(base, { method: 'DELETE', headers: session })
  expect([end.status, end.headers.get('set-cookie')]).toEqual([204, 'heddle_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'])
  expect((await fetch(base, { headers: session })).status).toBe(401)
})

test('the cookie is kept from scripts and other sites, and with HTTPS from plain connections', async () => {
  const { secret } = await aKey()
  const plain = (await signIn(secret)).headers.get('set-cookie')
  expect(plain).toMatch(/^heddle_session=hs_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/)
  expect((await signIn(secret, { 'x-forwarded-proto': 'https' })).headers.get('set-cookie')).toMatch(/; Secure$/)
})

test('below a base path, the cookie goes to that path alone, and is removed there', async () => {
  const { secret } = await aKey()
  const path = `${below.url}/session`
  const answer = await fetch(path, { method: 'POST', headers: { authorization: `Bearer ${secret}` } })
  expect(answer.headers.get('set-cookie')).toMatch(/^heddle_session=hs_[\w-]{43}; Path=\/tools\/heddle; Max-Age=604800; /)
  const end = await fetch(path, { method: 'DELETE', headers: cookieOf(answer) })
  expect(end.headers.get('set-cookie')).toMatch(/^heddle_session=; Path=\/tools\/heddle; Max-Age=0; /)
})

test('the session of a revoked key is refused', async () => {
  const { secret, key } = await aKey()
  const session = cookieOf(await signIn(secret))
  await identity.revokeKey(key.id)
  expect((await fetch(base, { headers: session })).status).toBe(401)
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page that does not say where it is from', { 'sec-fetch-site': '' }],
  ['another origin', { origin: 'http://evil.test' }],
])('a write with the cookie is refused from %s', async (_from, headers) => {
  const session = cookieOf(await signIn((await aKey()).secret))
  expect((await fetch(base, { method: 'DELETE', headers: { ...session, ...headers } })).status).toBe(403)
  expect((await fetch(base, { headers: session })).status).toBe(200)
})

test('a session cannot start another, and a wrong key starts none', async () => {
  const session = cookieOf(await signIn((await aKey()).secret))
  expect((await fetch(base, { method: 'POST', headers: session })).status).toBe(400)
  const wrong = await signIn('nonsense')
  expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
})

test('signing out without a session succeeds', async () => {
  expect((await fetch(base, { method: 'DELETE', headers: own })).status).toBe(204)
})

const createLink = async (secret: string) => {
  const answer = await fetch(`${base}/link`, { method: 'POST', headers: { authorization: `Bearer ${secret}` } })
  return ((await answer.json()) as { token: string }).token
}
const redeem = (body: unknown, headers: Record<string, string> = own) =>
  fetch(`${base}/link/redeem`, { method: 'POST', body: JSON.stringify(body), headers })

test('a link signs a browser in once, as the key that made it', async () => {
  const token = await createLink((await aKey()).secret)
  const answer = await redeem({ token })
  expect(await answer.json()).toMatchObject({ username: 'ada', entity: 'acme', role: 'writer' })
  expect(answer.headers.get('set-cookie')).toMatch(/^heddle_session=hs_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/)
  expect((await fetch(base, { headers: cookieOf(answer) })).status).toBe(200)
  const again = await redeem({ token })
  expect([again.status, again.headers.get('set-cookie')]).toEqual([401, null])
  expect(await again.text()).toContain('heddle sign-in-link')
})

test('of browsers that open one link at once, one is signed in', async () => {
  const token = await createLink((await aKey()).secret)
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => redeem({ token })))).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)])
})

test('the session of a link ends with the key that made the link', async () => {
  const { secret, key } = await aKey()
  const session = cookieOf(await redeem({ token: await createLink(secret) }))
  await identity.revokeKey(key.id)
  expect((await fetch(base, { headers: session })).status).toBe(401)
})

test('a link needs a key, and a session makes none', async () => {
  const session = cookieOf(await signIn((await aKey()).secret))
  expect((await fetch(`${base}/link`, { method: 'POST', headers: session })).status).toBe(400)
  expect((await fetch(`${base}/link`, { method: 'POST' })).status).toBe(401)
})

test.each([[{}], [{ token: 5 }], [null], ['text']])('a body without a token is refused: %j', async (body) => {
  const answer = await redeem(body)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('\\"token\\"')])
})

test('another site cannot sign a browser in', async () => {
  const token = await createLink((await aKey()).secret)
  expect((await redeem({ token }, { origin: 'http://evil.test' })).status).toBe(403)
  expect((await redeem({ token })).status).toBe(200)
})

test('the log holds no token', async () => {
  const token = await createLink((await aKey()).secret)
  const session = (await redeem({ token })).headers.get('set-cookie')?.slice('heddle_session='.length, -60) ?? ''
  await redeem({ token })
  await expect.poll(() => log.filter((line) => line.includes('session.redeem')).length).toBeGreaterThan(1)
  expect(session).toMatch(/^hs_/)
  expect(log.join('\n')).not.toContain(token)
  expect(log.join('\n')).not.toContain(session)
})
