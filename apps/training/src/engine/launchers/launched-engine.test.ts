import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerState } from './engine-launcher.ts'
import { createLaunchedEngine } from './launched-engine.ts'
import { createSteppedClock } from './testing/stepped-clock.ts'

const never = new AbortController().signal
const base = { key: 'tiny', baseModel: 'tiny', folder: null }
const tiny = { id: 'tiny', folder: '/models/tiny', parameters: 1, contextLength: 8, adapter: null, learningRates: { rl: 1, sft: 1 } }
const batch = [{ tokens: Int32Array.of(1, 2), scored: Uint8Array.of(0, 1) }]

/** Opens sessions, and refuses the rest with its name, so that a test sees who was asked. */
async function aTinkerServer(name: string) {
  const sessions: string[] = []
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/api/v1/healthz') return void response.end('{"status":"ok"}')
    if (request.url === '/api/v1/get_server_capabilities') return void response.end('{"supported_models":[{"model_name":"tiny"}]}')
    if (request.url !== '/api/v1/create_session') return void response.writeHead(404).end(name)
    sessions.push(name)
    response.end(JSON.stringify({ session_id: name }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sessions, close }
}

test('requests go to the server that was launched, and to the one after it with a session of its own', async () => {
  const first = await aTinkerServer('first')
  const second = await aTinkerServer('second')
  onTestFinished(() => second.close())
  const clock = createSteppedClock()
  let state: ServerState = { kind: 'running', address: first.url }
  const launcher = {
    place: 'a cluster',
    servers: async () => [],
    shortenOutput: async () => undefined,
    start: async () => 'started' as const,
    state: async () => state,
    stop: async () => undefined,
  }
  const engine = createLaunchedEngine({
    launcher,
    limits: { startMs: 60_000, startsPerHour: 5 },
    stopsAtEnd: true,
    onEvent: () => undefined,
    outgoingTo: (url) => createOutgoing({ allowed: parseAllowedTargets([new URL(url).host]) }),
    apiKey: null,
    baseModels: [tiny],
    ...clock,
  })
  onTestFinished(() => engine.close())

  expect(await engine.health()).toMatchObject({ ok: false, detail: { place: 'a cluster', state: 'starting' } })
  for (let request = 0; request < 2; request++)
    await expect(engine.score(base, batch, never)).rejects.toThrow('answered create_sampling_session with 404: first')
  expect(first.sessions).toEqual(['first'])
  expect(await engine.health()).toEqual({ ok: true, detail: { place: 'a cluster', state: 'ready', url: first.url } })

  await first.close()
  state = { kind: 'ended', reason: 'killed' }
  await clock.next()
  await clock.next()
  state = { kind: 'running', address: second.url }
  await expect(engine.score(base, batch, never)).rejects.toThrow('answered create_sampling_session with 404: second')
  expect(second.sessions).toEqual(['second'])
})
