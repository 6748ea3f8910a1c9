import { expect, test } from 'vitest'
import { fakeServices } from '../testing/fake-services.ts'
import { serveHttp } from './serve-http.ts'

const call = {
  method: 'POST',
  headers: { authorization: 'Bearer key', accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'models_list', arguments: { project: 'e/p' } } }),
}

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
