import { expect, test } from 'vitest'
import { createHttpHandler } from '../http/create-http-handler.ts'
import { connectServices } from '../connection/connect-services.ts'
import { connectClient, connectOlderClient } from '../testing/connect-clients.ts'
import { aStep, aTraining, fakeTraining, jobId } from '../testing/fake-training.ts'
import { createResourceWatch } from './watch-resources.ts'

const uri = `job://${jobId}`
const everyMs = 5

function start(state = aTraining()) {
  const fetch = fakeTraining(state)
  const options = { baseUrl: 'http://services.test', project: 'e/p', fetch, watchEveryMs: everyMs }
  const reads = (operation = 'trainingJobs.read') => fetch.requests.filter((one) => one.operation === operation).length
  const nextRead = async (operation?: string) => {
    const before = reads(operation)
    await expect.poll(() => reads(operation), { interval: 5 }).toBeGreaterThan(before + 1)
  }
  return { state, options, reads, nextRead }
}

test('a client of the current revision is notified when a job that it listens to changes, and of nothing else', async () => {
  const { state, options, nextRead } = start()
  const client = await connectClient({ options })
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
  const subscription = await client.listen({ resourceSubscriptions: [uri] })
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] })
  await nextRead()
  expect(told).toEqual([])
  state.job = { ...state.job, status: 'succeeded' }
  await expect.poll(() => told).toEqual([uri])
  await nextRead()
  expect(told).toEqual([uri])
  await subscription.close()
})

test('the resource is no longer read once the client has left', async () => {
  const { options, reads, nextRead } = start()
  const client = await connectClient({ options })
  const subscription = await client.listen({ resourceSubscriptions: [uri] })
  await nextRead()
  await subscription.close()
  let before = -1
  await expect
    .poll(() => [before, (before = reads())], { interval: 20 * everyMs })
    .toSatisfy(([one, other]: [number, number]) => one === other)
})

test('closing the server ends the streams of notices', async () => {
  const { options } = start()
  const handler = createHttpHandler(options)
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      notifications: { resourceSubscriptions: [uri] },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }
  const response = await handler.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-method': 'subscriptions/listen',
        'mcp-protocol-version': '2026-07-28',
      },
      body: JSON.stringify(message),
    }),
    { caller: { id: 'c' } },
  )
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const text = response.text()
  await handler.close()
  expect(await text).toContain('notifications/subscriptions/acknowledged')
})

test('an older client over HTTP is not offered what a connection would have to last for', async () => {
  const { options } = start()
  const client = await connectOlderClient({ options })
  expect(client.getServerCapabilities()?.resources).toEqual({})
})

test('only what changes is watched, at most twenty, until everybody who asked has left', async () => {
  const { state, options, nextRead } = start(aTraining({ events: [] }))
  const changed: string[] = []
  const watch = createResourceWatch({ services: connectServices(options, {}), everyMs, onChange: (one) => changed.push(one) })
  expect([watch.add('call://e/p/c'), watch.add('docs://workflows'), watch.add('other://x')]).toEqual([false, false, false])
  const events = `job://${jobId}/events`
  expect([watch.add(events), watch.add(events)]).toEqual([true, true])
  expect(Array.from({ length: 20 }, (_, at) => watch.add(`job://none-${at}`)).filter(Boolean)).toHaveLength(19)
  await nextRead('trainingEvents.list')
  watch.remove(events)
  state.events.push(aStep(1, { policy_loss: 1 }))
  await expect.poll(() => changed).toEqual([events])
  watch.close()
})
