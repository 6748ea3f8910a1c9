import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseAllowedTargets } from './allowed-targets.ts'
import type { ResolvedAddress } from './check-target.ts'
import { createOutgoing, type OutgoingRequest } from './outgoing.ts'
import { ipv4Spellings, specialIpv4 } from './testing/addresses.ts'
import { ownAuthority } from './testing/own-authority.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

/** A local server that responds as the test says and records its requests. */
function testServer() {
  const state = { answer: ((_request, response) => response.end('canary')) as Answer, seen: [] as Seen[], connections: 0, port: 0 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const body = Buffer.concat(chunks).toString()
      state.seen.push({ method: request.method, url: request.url, headers: request.headers, body })
      state.answer(request, response, body)
    })
  })
  server.on('connection', () => void state.connections++)
  return Object.assign(state, {
    async start() {
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
      state.port = (server.address() as AddressInfo).port
    },
    reset() {
      Object.assign(state, { seen: [], connections: 0, answer: ((_request, response) => response.end('canary')) as Answer })
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  })
}

const canary = testServer()
const friend = testServer()
beforeAll(async () => {
  await canary.start()
  await friend.start()
})
afterEach(() => {
  canary.reset()
  friend.reset()
})
afterAll(() => {
  canary.stop()
  friend.stop()
})

const loopback: ResolvedAddress[] = [{ address: '127.0.0.1', family: 4 }]
const limits = { maxResponseBytes: 10_000, timeoutMs: 30_000 }

/** A client that may reach the friend, by its name only. */
function client(options: { allowed?: string[]; resolve?: (host: string) => Promise<ResolvedAddress[]> } = {}) {
  const allowed = parseAllowedTargets(options.allowed ?? [`friend.test:${friend.port}`])
  const outgoing = createOutgoing({ allowed, resolve: options.resolve ?? (async () => loopback) })
  return (request: Partial<OutgoingRequest> & { url: string }) => outgoing.send({ ...limits, ...request })
}
const atFriend = (path = '/') => `http://friend.test:${friend.port}${path}`
const redirectTo =
  (location: string, status = 302): Answer =>
  (_request, response) =>
    response.writeHead(status, { location }).end()

const spellings = Object.entries(ipv4Spellings).flatMap(([way, spell]) =>
  specialIpv4.map((address) => [address, way, spell(address)] as const),
)

describe('no request leaves', () => {
  test.each(spellings)('for %s, written as %s: %s', async (_address, _way, host) => {
    await expect(client()({ url: `http://${host}:${canary.port}/` })).rejects.toMatchObject({ name: 'OutgoingError', kind: 'refused' })
    expect(canary.connections).toBe(0)
  })

  test.each(specialIpv4)('for a name that resolves to %s, also among other addresses', async (address) => {
    const special = { address, family: 4 }
    const open = { address: '8.8.8.8', family: 4 }
    for (const addresses of [[special], [open, special], [special, open]]) {
      const send = client({ resolve: async () => addresses })
      await expect(send({ url: `http://name.test:${canary.port}/` })).rejects.toMatchObject({ kind: 'refused' })
    }
    expect(canary.connections).toBe(0)
  })

  test.each(['::1', '::', 'fe80::1', 'fe80::1%lo', 'fd00:ec2::254', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', 'ff02::1'])(
    'for a name that resolves to %s',
    async (address) => {
      const send = client({ resolve: async () => [{ address, family: 6 }] })
      await expect(send({ url: `http://name.test:${canary.port}/` })).rejects.toMatchObject({ kind: 'refused' })
      expect(canary.connections).toBe(0)
    },
  )

  test.each(['localhost', 'localhost.', 'LOCALHOST', 'x.localhost', 'friend.test', 'friend.test.'])(
    'for %s at a port that is not allowed',
    async (host) => {
      await expect(client()({ url: `http://${host}:${canary.port}/` })).rejects.toMatchObject({ kind: 'refused' })
      expect(canary.connections).toBe(0)
    },
  )

  test.each([
    'file:///etc/passwd',
    'ftp://friend.test/',
    'gopher://friend.test/',
    'data:text/plain,x',
    'javascript:1',
    'ws://friend.test/',
    'unix:/var/run/docker.sock',
    '//friend.test/',
    'friend.test',
    '',
    'http://',
    'http://user:secret@friend.test/',
    'http://user@friend.test/',
    'http://127.0.0.1%00.friend.test/',
    'http://[::1',
  ])('for %j', async (url) => {
    const refusal = await client()({ url }).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ kind: 'refused' })
    expect(String(refusal)).not.toContain('secret')
  })

  test('for a name without an address', async () => {
    await expect(client({ resolve: async () => [] })({ url: atFriend() })).rejects.toMatchObject({ kind: 'unreachable' })
    const unknown = client({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    await expect(unknown({ url: atFriend() })).rejects.toMatchObject({ kind: 'unreachable' })
  })

  test('for any spelling of the canary as a host', async () => {
    const bytes = [127, 0, 0, 1] as const
    const part = fc
      .nat({ max: 3 })
      .chain((at) => fc.constantFrom(...[10, 8, 16].map((base) => ({ 10: '', 8: '0', 16: '0x' })[base] + (bytes[at] ?? 0).toString(base))))
    const host = fc.oneof(
      fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')),
      fc.ipV4().filter((address) => address.startsWith('127.') || address.startsWith('10.')),
      fc
        .ipV6()
        .filter((address) => !/^[23]/.test(address))
        .map((address) => `[${address}]`),
    )
    await fc.assert(
      fc.asyncProperty(host, async (host) => {
        const outcome = await client({ resolve: async () => loopback })({ url: `http://${host}:${canary.port}/`, timeoutMs: 200 }).catch(
          (error: unknown) => error,
        )
        expect(outcome).toMatchObject({ name: 'OutgoingError' })
        expect(canary.connections).toBe(0)
      }),
    )
  })
})

describe('a request', () => {
  test('reaches the allowed host under its own name and returns the response', async () => {
    friend.answer = (_request, response, body) => response.writeHead(418, { 'x-answer': 'yes' }).end(`got ${body}`)
    const answer = await client()({
      url: atFriend('/p?q=1#part'),
      method: 'POST',
      body: 'ü',
      headers: { a: 'b' },
      secrets: { authorization: 's' },
    })
    expect({ ...answer, bytes: Buffer.from(answer.bytes).toString() }).toMatchObject({
      status: 418,
      headers: { 'x-answer': 'yes' },
      bytes: 'got ü',
      url: atFriend('/p?q=1'),
    })
    expect(friend.seen).toMatchObject([
      {
        method: 'POST',
        url: '/p?q=1',
        headers: { host: `friend.test:${friend.port}`, a: 'b', authorization: 's', 'accept-encoding': 'identity' },
        body: 'ü',
      },
    ])
  })

  test('goes to the address that was checked, whatever the name resolves to later', async () => {
    let lookups = 0
    const send = client({
      async resolve() {
        lookups++
        return lookups === 1 ? loopback : [{ address: '127.0.0.2', family: 4 }]
      },
    })
    expect((await send({ url: atFriend() })).status).toBe(200)
    expect(lookups).toBe(1)
  })

  test('uses no proxy', async () => {
    const names = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'] as const
    for (const name of names) process.env[name] = `http://127.0.0.1:${canary.port}`
    try {
      expect((await client()({ url: atFriend() })).status).toBe(200)
      expect(canary.connections).toBe(0)
    } finally {
      for (const name of names) delete process.env[name]
    }
  })
})

describe('a redirect', () => {
  const toCanary = () => `http://127.0.0.1:${canary.port}/`

  test('is returned as it is where it shall not be followed', async () => {
    friend.answer = redirectTo(toCanary(), 307)
    const response = await client()({ url: atFriend('/'), method: 'POST', body: 'x', followsRedirects: false })
    expect([response.status, response.headers['location'], friend.seen.length, canary.connections]).toEqual([307, toCanary(), 1, 0])
  })

  test.each([301, 302, 303, 307, 308])('%i to an address that is not allowed is not followed', async (status) => {
    friend.answer = redirectTo(toCanary(), status)
    await expect(client()({ url: atFriend() })).rejects.toMatchObject({ kind: 'refused' })
    expect(canary.connections).toBe(0)
  })

  test.each(['file:///etc/passwd', 'http://user:pw@friend.test/', 'http://[::ffff:127.0.0.1]/', 'http://0x7f000001/', 'http://'])(
    'to %s is not followed',
    async (location) => {
      friend.answer = redirectTo(location)
      await expect(client()({ url: atFriend() })).rejects.toMatchObject({ kind: 'refused' })
    },
  )

  test('is followed three times, not four', async () => {
    const hops =
      (count: number): Answer =>
      (request, response) => {
        const hop = Number(request.url?.slice(1))
        if (hop < count) redirectTo(`/${hop + 1}`)(request, response, '')
        else response.end(`hop ${hop}`)
      }
    friend.answer = hops(3)
    expect(Buffer.from((await client()({ url: atFriend('/0') })).bytes).toString()).toBe('hop 3')
    friend.answer = hops(4)
    await expect(client()({ url: atFriend('/0') })).rejects.toMatchObject({ kind: 'redirects' })
  })

  test('to another host carries no secret, also on the way back; within the host it does', async () => {
    const allowed = [`friend.test:${friend.port}`, `other.test:${canary.port}`]
    friend.answer = (request, response) => {
      if (request.url === '/start') redirectTo('/within')(request, response, '')
      else if (request.url === '/within') redirectTo(`http://other.test:${canary.port}/`)(request, response, '')
      else response.end()
    }
    canary.answer = redirectTo(atFriend('/back'))
    await client({ allowed })({ url: atFriend('/start'), headers: { plain: 'p' }, secrets: { authorization: 'Bearer s', 'api-key': 's' } })
    const sent = [...friend.seen, ...canary.seen].map(({ url, headers }) => [url, headers.plain, headers.authorization, headers['api-key']])
    expect(sent).toEqual([
      ['/start', 'p', 'Bearer s', 's'],
      ['/within', 'p', 'Bearer s', 's'],
      ['/back', 'p', undefined, undefined],
      ['/', 'p', undefined, undefined],
    ])
  })

  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'body'],
    [308, 'POST', 'body'],
  ])('%i of a POST is followed as %s with %j', async (status, method, body) => {
    friend.answer = (request, response) => (request.url === '/' ? redirectTo('/next', status)(request, response, '') : void response.end())
    await client()({ url: atFriend(), method: 'POST', body: 'body' })
    expect(friend.seen[1]).toMatchObject({ method, body })
  })
})

describe('limits', () => {
  test.each<[string, Answer]>([
    ['with its length', (_request, response) => response.writeHead(200, { 'content-length': '10001' }).end('x'.repeat(10_001))],
    ['without its length', (_request, response) => response.write('x'.repeat(10_001))],
    [
      'without an end',
      (_request, response) => {
        const more = () => void (response.destroyed || response.write('x'.repeat(5_000), more))
        more()
      },
    ],
  ])('reading stops at a response that is too long: %s', async (_how, answer) => {
    friend.answer = answer
    await expect(client()({ url: atFriend() })).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('a response of exactly the limit is read', async () => {
    friend.answer = (_request, response) => response.end('x'.repeat(10_000))
    expect((await client()({ url: atFriend() })).bytes).toHaveLength(10_000)
  })

  test.each<[string, Answer]>([
    ['never begins', () => undefined],
    ['never ends', (_request, response) => response.write('half')],
    [
      'drips',
      (_request, response) => {
        const timer = setInterval(() => void response.write('.'), 20)
        response.once('close', () => clearInterval(timer))
      },
    ],
  ])('a response that %s times out', async (_how, answer) => {
    friend.answer = answer
    await expect(client()({ url: atFriend(), timeoutMs: 150 })).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('a lookup that never ends times out', async () => {
    const send = client({ resolve: () => new Promise(() => undefined) })
    await expect(send({ url: atFriend(), timeoutMs: 50 })).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('an aborted request rejects with the reason of its signal', async () => {
    friend.answer = () => undefined
    const leaving = new AbortController()
    const sent = client()({ url: atFriend(), signal: leaving.signal })
    setTimeout(() => leaving.abort(new Error('gone')), 20)
    await expect(sent).rejects.toThrow('gone')
  })

  test.each<[string, Answer]>([
    ['hangs up', (request) => request.socket.destroy()],
    [
      'hangs up in the middle',
      (request, response) => void response.writeHead(200, { 'content-length': '100' }).write('x', () => request.socket.destroy()),
    ],
  ])('the error of a server that %s names the host', async (_how, answer) => {
    friend.answer = answer
    await expect(client()({ url: atFriend() })).rejects.toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('friend.test'),
    })
  })
})

describe('an open response', () => {
  const openAt = (request: Partial<OutgoingRequest> = {}) => {
    const allowed = parseAllowedTargets([`friend.test:${friend.port}`])
    return createOutgoing({ allowed, resolve: async () => loopback }).open({ ...limits, url: atFriend(), ...request })
  }

  test('is read while it arrives, and is bounded like a whole one', async () => {
    let goOn = () => {}
    friend.answer = (_request, response) => {
      goOn = () => void response.end('x'.repeat(10_000))
      response.write('first')
    }
    const { status, content } = await openAt()
    const parts = content[Symbol.asyncIterator]()
    expect([status, Buffer.from((await parts.next()).value as Uint8Array).toString()]).toEqual([200, 'first'])
    goOn()
    const rest = async () => {
      while (!(await parts.next()).done);
    }
    await expect(rest()).rejects.toMatchObject({ kind: 'too_large' })
  })

  test.each<[string, (leaving: AbortController, parts: AsyncIterator<Uint8Array>) => Promise<unknown>, string]>([
    ['aborts', (leaving, parts) => (leaving.abort(new Error('gone')), parts.next()), 'Error: gone'],
    ['leaves it', (_leaving, parts) => parts.return!(), 'left'],
  ])('loses its connection when the reader %s', async (_how, leave, outcome) => {
    const closed = new Promise<void>((resolve) => {
      friend.answer = (_request, response) => {
        response.once('close', resolve)
        response.write('first')
      }
    })
    const leaving = new AbortController()
    const { content } = await openAt({ signal: leaving.signal })
    const parts = content[Symbol.asyncIterator]()
    await parts.next()
    expect(await leave(leaving, parts).then(() => 'left', String)).toBe(outcome)
    await closed
  })
})

test('a certificate of an authority that the caller names is accepted, and of no other', async () => {
  const server = createTlsServer(ownAuthority, (_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const send = client({ allowed: [`friend.test:${port}`] })
  const url = `https://friend.test:${port}/`
  const { bytes } = await send({ url, certificateAuthority: ownAuthority.cert })
  expect(Buffer.from(bytes).toString()).toBe('hello')
  await expect(send({ url })).rejects.toThrow(`cannot reach friend.test:${port}: DEPTH_ZERO_SELF_SIGNED_CERT`)
})
