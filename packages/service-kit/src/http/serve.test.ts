import { afterEach, describe, expect, test } from 'vitest'
import { type RunningServer, serve, type ServeOptions } from './serve.ts'
import { rawClient } from '../testing/raw-client.ts'
import { recordedLog, sampleService, type SampleOptions } from '../testing/sample-service.ts'

const running: RunningServer[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

async function start(service: SampleOptions = {}, options: Partial<ServeOptions> = {}) {
  const server = await serve({
    fetch: sampleService(service).fetch,
    host: '127.0.0.1',
    port: 0,
    ...options,
    limits: { drainMs: 2_000, ...options.limits },
  })
  running.push(server)
  return server
}

/** A promise with the function that resolves it. */
function signal<T = void>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => (resolve = done))
  return { promise, resolve }
}

const authorization = 'Authorization: Bearer key'
const head = (path: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: local', authorization, ...headers, '', ''].join('\r\n')
const whole = (path: string, body: string, ...headers: string[]) =>
  head(path, `Content-Length: ${Buffer.byteLength(body)}`, ...headers) + body
const post = (server: RunningServer, path: string, body: BodyInit, signal?: AbortSignal) =>
  fetch(server.url + path, { method: 'POST', headers: { authorization: 'Bearer key' }, body, ...(signal && { signal }) })

describe('requests', () => {
  test('a body arrives from the socket, whole, chunked and byte by byte', async () => {
    const { port } = await start()
    const client = await rawClient(port)
    client.write(whole('/sample/create', '{"project_id":"one"}'))
    await client.until('"one"')
    client.write(head('/sample/create', 'Transfer-Encoding: chunked') + '10\r\n{"project_id":"t\r\n4\r\nwo"}\r\n0\r\n\r\n')
    await client.until('"two"')
    for (const byte of whole('/sample/create', '{"project_id":"three"}')) client.write(byte)
    await client.until('"three"')
    client.socket.destroy()
  })

  test.each([1, 65_536, 300_000])('a JSON answer of %i characters beyond ASCII arrives whole, with its length in bytes', async (length) => {
    const server = await start()
    const response = await post(server, '/sample/create', JSON.stringify({ project_id: '漢'.repeat(length) }))
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([response.headers.get('content-type'), Number(response.headers.get('content-length'))]).toEqual([
      'application/json',
      bytes.byteLength,
    ])
    expect(bytes.byteLength).toBeGreaterThan(3 * length)
    expect((JSON.parse(bytes.toString()) as { project_id: string }).project_id === '漢'.repeat(length)).toBe(true)
  })

  test('every response forbids type sniffing, framing and referrers', async () => {
    const { url } = await start()
    for (const path of ['/health', '/nothing', '/sample/create']) {
      const { headers } = await fetch(url + path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      })
    }
  })

  test('below a base path, requests are answered with it and without, and others are not found', async () => {
    const server = await start({}, { basePath: '/tools/heddle' })
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/tools/heddle`)
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${server.port}${path}`)).status
    expect([await statusOf('/tools/heddle/health'), await statusOf('/tools/heddle/health?x=/'), await statusOf('/health')]).toEqual([
      200, 200, 200,
    ])
    expect([await statusOf('/tools/heddler/health'), await statusOf('/tools/health'), await statusOf('/health/tools/heddle')]).toEqual([
      404, 404, 404,
    ])
    expect(await (await post(server, '/sample/create', '{"project_id":"one"}')).json()).toMatchObject({ project_id: 'one' })
  })

  test('the whole address of a request names its host also with a base path', async () => {
    const { port } = await start({}, { basePath: '/tools/heddle' })
    const statusOf = async (target: string) => {
      const client = await rawClient(port)
      client.write(`GET ${target} HTTP/1.1\r\nHost: local\r\nConnection: close\r\n\r\n`)
      return (await client.closed).slice(9, 12)
    }
    expect(await statusOf('http://local/tools/heddle/health')).toBe('200')
    expect(await statusOf('http://evil.test/tools/heddle/health')).toBe('400')
  })

  test('a name that is not this server is refused', async () => {
    const { port } = await start({}, { hosts: ['127.0.0.1', 'local', '::1'] })
    const answers = async (host: string) => {
      const client = await rawClient(port)
      client.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      return (await client.closed).slice(9, 12)
    }
    expect(await Promise.all(['LOCAL:80', '127.0.0.1', '[::1]:7400', 'evil.test', 'local.evil.test'].map(answers))).toEqual([
      '200',
      '200',
      '200',
      '400',
      '400',
    ])
  })

  test.each([
    ['two lengths', head('/sample/create', 'Content-Length: 2', 'Content-Length: 3') + '{}'],
    ['a length and chunks', head('/sample/create', 'Content-Length: 2', 'Transfer-Encoding: chunked') + '0\r\n\r\n'],
    ['a negative length', head('/sample/create', 'Content-Length: -1')],
    ['chunks without a size', head('/sample/create', 'Transfer-Encoding: chunked') + 'zz\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
  ])('%s is a bad request', async (_name, text) => {
    const { port } = await start()
    const client = await rawClient(port)
    client.write(text)
    expect(await client.closed).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('a body that is too large is refused before it is read, and the client can read the response', async () => {
    const server = await start({ limits: { maxBodyBytes: 1_000 } })
    const client = await rawClient(server.port)
    client.write(head('/sample/create', 'Content-Length: 40000000'))
    await client.until('{"reason":"Request too large"}')
    client.socket.destroy()
    const response = await post(server, '/sample/create', 'x'.repeat(20_000_000))
    expect(response.status).toBe(413)
    expect(await response.text()).toBe('{"reason":"Request too large"}')
  })

  test('a body without a length is cut at the limit', async () => {
    const { port } = await start({ limits: { maxBodyBytes: 1_000 } })
    const client = await rawClient(port)
    client.write(head('/sample/create', 'Transfer-Encoding: chunked') + `800\r\n${'x'.repeat(2_048)}\r\n`)
    expect(await client.until('Request too large')).toMatch(/^HTTP\/1\.1 413 /)
    client.socket.destroy()
  })

  test('the connection stays usable after an early refusal', async () => {
    const { port } = await start({ limits: { maxBodyBytes: 1_000 } })
    const client = await rawClient(port)
    client.write(whole('/sample/create', 'x'.repeat(200_000)))
    await client.until('Request too large')
    client.write(whole('/sample/create', '{"project_id":"again"}'))
    await client.until('"again"')
    client.socket.destroy()
  })

  test('a request whose client disconnects in the middle of the body reaches no handler', async () => {
    const log = recordedLog()
    const finished = signal()
    let handled = 0
    const { port } = await start({
      log: { ...log, info: (fields, message) => (log.info(fields, message), finished.resolve()) },
      handlers: { create: async () => ({ handled: ++handled }) },
    })
    const client = await rawClient(port)
    client.write(head('/sample/create', 'Content-Length: 100') + '{"project_id":')
    setImmediate(() => client.socket.destroy())
    await finished.promise
    expect(handled).toBe(0)
    expect(log.lines.map(({ level }) => level)).toEqual(['info'])
  })
})

describe('slow and many clients', () => {
  const limits = { headersMs: 100, requestMs: 200, checkMs: 20, keepAliveMs: 100, keepAliveBufferMs: 20 }

  test.each([
    ['headers', 'POST /sample/create HTTP/1.1\r\nHost: local\r\n'],
    ['a body', head('/sample/create', 'Content-Length: 100') + '{'],
  ])('a client that never finishes %s is answered 408 and closed', async (_name, text) => {
    const { port } = await start({}, { limits })
    const client = await rawClient(port)
    client.write(text)
    expect(await client.closed).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('an idle connection is closed', async () => {
    const { port } = await start({}, { limits: { keepAliveMs: 100, keepAliveBufferMs: 20 } })
    const client = await rawClient(port)
    client.write(whole('/sample/create', '{"project_id":"e/p"}'))
    expect(await client.closed).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('an idle connection outlives its advertised keep-alive timeout', async () => {
    const { port } = await start({}, { limits: { keepAliveMs: 100, keepAliveBufferMs: 1_300 } })
    const client = await rawClient(port)
    client.write(whole('/sample/create', '{"project_id":"e/p"}'))
    const since = performance.now()
    expect(await client.closed).toMatch(/keep-alive: timeout=0\r\n/i)
    expect(performance.now() - since).toBeGreaterThan(1_390)
  })

  test('connections beyond the limit of an address are refused and counted', async () => {
    const server = await start({}, { limits: { maxConnectionsPerAddress: 2 } })
    const kept = [await rawClient(server.port), await rawClient(server.port)]
    const third = await rawClient(server.port)
    expect(await third.closed).toBe('')
    expect(server.refusedConnections).toBe(1)
    for (const client of kept) client.socket.destroy()
    await Promise.all(kept.map((client) => client.closed))
  })

  test('the connection of a client that does not read its response is closed', async () => {
    const value = 'x'.repeat(30_000_000)
    const given = signal()
    const log = { info: () => given.resolve(), error: () => undefined }
    const { port } = await start({ log, handlers: { create: async () => ({ value }) } }, { limits: { stallMs: 100 } })
    const client = await rawClient(port)
    client.socket.pause()
    client.write(whole('/sample/create', '{"project_id":"e/p"}'))
    await given.promise
    client.socket.resume()
    expect((await client.closed).length).toBeLessThan(value.length)
  })
})

describe('streams', () => {
  /** Endless rows of 10 kB, with the state of their source. */
  function endlessRows() {
    const ended = signal()
    const state = { taken: 0 }
    const filler = 'x'.repeat(10_000)
    async function* rows() {
      try {
        for (;;) yield { row: state.taken++, filler }
      } finally {
        ended.resolve()
      }
    }
    return { state, ended: ended.promise, stream: async () => rows() }
  }

  test('a client that disconnects cancels the source and fires the signal', async () => {
    const { ended, stream } = endlessRows()
    const left = signal()
    const context: SampleOptions['context'] = (caller, _operation, { request }) => {
      request.signal.addEventListener('abort', () => left.resolve())
      return { caller, signal: request.signal }
    }
    const server = await start({ handlers: { stream }, context })
    const abort = new AbortController()
    const response = await post(server, '/stream', '{"rows":1}', abort.signal)
    await response.body!.getReader().read()
    abort.abort()
    await Promise.all([ended, left.promise])
  })

  test('a client that stops reading holds the source back and is closed in the end', async () => {
    const { ended, stream, state } = endlessRows()
    const log = recordedLog()
    const { port } = await start({ handlers: { stream }, stallMs: 100, log })
    const client = await rawClient(port)
    client.socket.pause()
    client.write(whole('/stream', '{"rows":1}'))
    await ended
    expect(state.taken).toBeLessThan(2_000)
    client.socket.resume()
    expect(await client.closed).not.toMatch(/\r\n0\r\n\r\n$/)
    expect(log.lines).toContainEqual({
      level: 'info',
      fields: expect.objectContaining({ operation: 'kit.samples.stream', cut: 'StalledReader' }),
      message: 'request',
    })
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('an error after the first row cuts the connection and shows nothing of the error', async () => {
    const seen = signal()
    async function* failing() {
      yield { row: 0 }
      await seen.promise
      throw new Error('secret')
    }
    const { port } = await start({ handlers: { stream: async () => failing() } })
    const client = await rawClient(port)
    client.write(whole('/stream', '{"rows":1}'))
    await client.until('{"row":0}')
    seen.resolve()
    const received = await client.closed
    expect(received).toContain('{"row":0}')
    expect(received).not.toMatch(/secret|Error|\r\n0\r\n/)
  })
})

describe('closing', () => {
  test('requests in progress finish and new connections are refused', async () => {
    const started = signal()
    const goOn = signal()
    const create = async () => {
      started.resolve()
      await goOn.promise
      return { done: true }
    }
    const server = await start({ handlers: { create } })
    const client = await rawClient(server.port)
    client.write(whole('/sample/create', '{"project_id":"e/p"}'))
    await started.promise
    const closed = server.close()
    await expect(fetch(`${server.url}/health`)).rejects.toThrow('fetch failed')
    goOn.resolve()
    const received = await client.closed
    expect(received).toMatch(/connection: close/i)
    expect(received).toContain('{"done":true}')
    await closed
  })

  test('a request that arrives on a kept-alive connection gets 503', async () => {
    const server = await start()
    const client = await rawClient(server.port)
    const second = whole('/stream', '{"rows":1}')
    client.write(whole('/sample/create', '{"project_id":"first"}') + second.slice(0, 20))
    await client.until('"first"')
    const closed = server.close()
    client.write(second.slice(20))
    const received = await client.closed
    expect(received).toMatch(/HTTP\/1\.1 503 .*retry-after: 1\r\n.*\{"reason":"shutting down"\}/is)
    await closed
  })

  test('a probe that arrives on a kept-alive connection is answered by the service', async () => {
    const server = await start({}, { pathsWhileClosing: ['/health'] })
    const client = await rawClient(server.port)
    const probe = ['GET /health HTTP/1.1', 'Host: local', '', ''].join('\r\n')
    client.write(whole('/sample/create', '{"project_id":"first"}') + probe.slice(0, 20))
    await client.until('"first"')
    const closed = server.close()
    client.write(probe.slice(20))
    const received = await client.closed
    expect(received.slice(received.lastIndexOf('HTTP/1.1'))).toMatch(/^HTTP\/1\.1 200 .*connection: close/is)
    await closed
  })

  test('what does not finish in time is cut', async () => {
    const never = signal<{ done: true }>()
    const started = signal()
    const create = () => (started.resolve(), never.promise)
    const server = await start({ handlers: { create } }, { limits: { drainMs: 50 } })
    const client = await rawClient(server.port)
    client.write(whole('/sample/create', '{"project_id":"e/p"}'))
    await started.promise
    await server.close()
    expect(await client.closed).toBe('')
  })

  test('a connection that never sent anything holds nothing up', async () => {
    const server = await start({}, { limits: { drainMs: 600_000 } })
    const client = await rawClient(server.port)
    const used = await rawClient(server.port)
    used.write(whole('/sample/create', '{"project_id":"e/p"}'))
    await used.until('"e/p"')
    await server.close()
    await Promise.all([client.closed, used.closed])
  })

  test('a port that is taken is an error of the caller', async () => {
    const { port } = await start()
    await expect(start({}, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
