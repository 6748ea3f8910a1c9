import { newApiKey } from '@heddle/identity'
import { createFailedLogins } from '@heddle/service-kit'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp, type TestServer } from '../testing/start-test-app.ts'
import { sendRaw } from './testing/send-raw.ts'

const settings = [
  { name: 'two servers over one PostgreSQL', postgres: true },
  { name: 'two servers over one file', postgres: false },
]

describe.each(settings)('$name', ({ postgres }) => {
  const postgresUrl = inject('postgresUrl')
  const runs = postgres && postgresUrl === '' ? test.skip : test
  let app: TestApp
  let servers: TestServer[]
  beforeAll(async () => {
    app = await startTestApp(postgres ? { postgresUrl } : {})
    servers = [app, await app.anotherServer()]
  })
  afterAll(() => app.close())

  const ask = async (server: TestServer, apiKey: string) =>
    (await sendRaw(server, { path: '/calls/query_stats', body: { project_id: 'keys/test' }, apiKey })).status

  runs('a key that one of them made is good on both at once', async () => {
    const { secret } = await app.identity.createKey({ name: 'new', role: 'reader' })
    expect(await Promise.all(servers.map((server) => ask(server, secret)))).toEqual([200, 200])
  })

  runs('a revoked key is refused by both at once, also in the middle of requests with it', async () => {
    const { secret, key } = await app.identity.createKey({ name: 'gone', role: 'reader' })
    expect(await Promise.all(servers.map((server) => ask(server, secret)))).toEqual([200, 200])
    let isRevoked = false
    const late: number[] = []
    const asking = servers.flatMap((server) =>
      Array.from({ length: 4 }, async () => {
        for (let status = 200; status === 200;) {
          const wasRevoked = isRevoked
          status = await ask(server, secret)
          if (wasRevoked) late.push(status)
        }
      }),
    )
    await app.identity.revokeKey(key.id)
    isRevoked = true
    expect(await Promise.all(servers.map((server) => ask(server, secret)))).toEqual([401, 401])
    await Promise.all(asking)
    expect(late.filter((status) => status !== 401)).toEqual([])
  })
})

test('guessing keys is slowed down, then answered with 429, while holders of a valid key are served', async () => {
  let wake: () => void = () => {}
  const slept = new Promise<void>((resolve) => (wake = resolve))
  const failedLogins = createFailedLogins({ nowMs: () => 0, pause: () => slept, burst: 3, maxWaitingOfOne: 2 })
  const app = await startTestApp({ service: { failedLogins } })
  try {
    const ask = (apiKey: string) => sendRaw(app, { path: '/calls/query_stats', body: { project_id: 'keys/test' }, apiKey })
    expect((await ask(app.apiKey)).status).toBe(200)
    for (let guess = 0; guess < 3; guess++) expect((await ask(newApiKey())).status).toBe(401)
    const slowed = [ask(newApiKey()), ask(newApiKey())]
    const refused = await ask(newApiKey())
    expect(refused).toMatchObject({ status: 429, body: { reason: expect.any(String) } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await ask(app.apiKey)).status).toBe(200)
    wake()
    expect((await Promise.all(slowed)).map(({ status }) => status)).toEqual([401, 401])
  } finally {
    wake()
    await app.close()
  }
})
