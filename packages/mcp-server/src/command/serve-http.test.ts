import { expect, test } from 'vitest'
import { fakeServices } from '../testing/fake-services.ts'
import { serveHttp } from './serve-http.ts'

const call = {
  method: 'POST',
  headers: { authorization: 'Bearer key', accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'models_list', arguments: { project: 'e/p' } } }),
}

test('every answer carries the id of its request, and the error of a tool that of the service', async () => {
  const fetch = async (input: string | URL | Request) =>
    String(input instanceof Request ? input.url : input).endsWith('/projects_info')
      ? Response.json([])
      : Response.json({ reason: 'not found' }, { status: 404, headers: { 'x-request-id': 'service-1' } })
  const serving = await serveHttp({ baseUrl: 'http://services.test', host: '127.0.0.1', port: 0, fetch })
  try {
    const send = (id: string, init: RequestInit = {}, url = serving.url) =>
      globalThis.fetch(url, { ...call, ...init, headers: { ...call.headers, 'x-request-id': id, ...init.headers } })
    const answers = {
      'called-1': await send('called-1'),
      'refused-1': await send('refused-1', { headers: { authorization: '' } }),
      'unknown-1': await send('unknown-1', {}, new URL('/nothing', serving.url).href),
    }
    for (const [id, response] of Object.entries(answers)) expect(response.headers.get('x-request-id')).toBe(id)
    expect(await answers['called-1'].text()).toContain('Request ID: service-1.')
    expect((await send('two words')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  } finally {
    await serving.close()
  }
})

test('a call that is in progress when the server stops is answered, and later ones are refused', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let arrived = () => {}
  const called = new Promise<void>((resolve) => (arrived = resolve))
  const fetch = fakeServices({
    'service.projectsInfo': () => [],
    'models.list': async () => {
      arrived()
      await released
      return { object: 'list', data: [], first_id: '', last_id: '', has_more: false }
    },
  })
  const serving = await serveHttp({ baseUrl: 'http://services.test', host: '127.0.0.1', port: 0, fetch })
  const answer = globalThis.fetch(serving.url, call)
  await called
  const closed = serving.close()
  await expect(globalThis.fetch(serving.url, call)).rejects.toThrow()
  release()
  expect(await (await answer).text()).toContain('0 models')
  await closed
})
