import { inspect } from 'node:util'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { aCall, record } from '../../contract-tests/testing/call-builders.ts'
import { type TestApp } from '../../testing/start-test-app.ts'
import { type ReceivedMessage, respondWith, type Receiver } from './testing/start-receiver.ts'
import { isSignedWith } from './testing/verify-message.ts'
import {
  aReceiver,
  receives,
  second,
  startWebhooksApp,
  webhooksOfProject,
  type WebhooksOfProject,
  webhookTimes,
} from './testing/webhooks-of-project.ts'
import { webhookLimits } from './webhook-limits.ts'

describe.each(['sqlite', 'postgres'] as const)('webhooks on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  const time = { now: 1_800_000_000 * second }
  const timeText = () => new Date(time.now / 1_000).toISOString().replace('.000Z', 'Z')
  const lines: string[] = []
  const keep = (...line: unknown[]) => void lines.push(inspect(line, { depth: 9 }))
  const log = { info: keep, error: keep }
  let app: TestApp
  let ours: WebhooksOfProject
  let receiver: Receiver

  beforeAll(async () => {
    app = await startWebhooksApp(time, kind === 'postgres' ? postgresUrl : undefined, { log })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    ours = await webhooksOfProject(app, app.newProject())
    receiver = await aReceiver()
  })

  test('a finished evaluation run is sent, signed so that its receiver can verify it', async () => {
    const { secret } = await ours.create({ url: receiver.url })
    const { project_id } = ours
    const call = aCall({ project_id, op_name: 'Evaluation.evaluate', inputs: { self: 'weave:///e', model: 'm' } })
    await record(app.client, call)
    await receives(receiver, 1)
    const [message] = receiver.received as [ReceivedMessage]
    expect(message.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-timestamp': String(time.now / second) })
    const { started_at, ended_at: finished_at } = call
    const run = { evaluation_run_id: call.id, evaluation: 'weave:///e', model: 'm', status: 'completed', started_at, finished_at }
    expect(JSON.parse(message.body)).toEqual({ type: 'evaluation.finished', timestamp: timeText(), data: { project_id, ...run } })
    expect(await isSignedWith(secret, message)).toBe(true)
    const changed = { ...message, body: message.body.replace('completed', 'failed') }
    const later = { ...message, headers: { ...message.headers, 'webhook-timestamp': String(time.now / second + 1) } }
    const other = await ours.create({ url: receiver.url })
    expect([await isSignedWith(secret, changed), await isSignedWith(secret, later), await isSignedWith(other.secret, message)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('a webhook gets the events that it names, of its project alone', async () => {
    const others = await webhooksOfProject(app, app.newProject())
    const [ofAudit, ofOthers] = [await aReceiver(), await aReceiver()]
    await ours.create({ url: receiver.url })
    await ours.create({ url: ofAudit.url, events: ['audit.entry'] })
    await others.create({ url: ofOthers.url })
    await ours.evaluate()
    await receives(receiver, 1)
    await receives(ofAudit, 1)
    await others.evaluate()
    await receives(ofOthers, 1)
    expect(
      [receiver, ofAudit, ofOthers].map(({ received }) => received.map(({ body }) => (JSON.parse(body) as { type: string }).type)),
    ).toEqual([['evaluation.finished'], ['audit.entry'], ['evaluation.finished']])
  })

  test('webhooks are listed with their last attempt', async () => {
    const { webhook } = await ours.create({ url: receiver.url, name: 'first', events: ['evaluation.finished', 'evaluation.finished'] })
    const made = { id: webhook.id, name: 'first', url: receiver.url, events: ['evaluation.finished'], created_by: 'tester' }
    const unused = { waiting: 0, last_attempt: null, failing_since: null, disabled_at: null }
    const created_at = timeText()
    expect(webhook).toEqual({ ...made, created_at, ...unused })
    receiver.respond = respondWith(500)
    time.now += second
    await ours.evaluate()
    await ours.notes(500)
    await ours.waits(1)
    const message_id = receiver.received[0]?.headers['webhook-id']
    const failed = { message_id, event: 'evaluation.finished', status: 500, error: 'the receiver responded with status 500' }
    expect(await ours.only()).toEqual({
      ...made,
      created_at,
      waiting: 1,
      last_attempt: { ...failed, attempted_at: timeText() },
      failing_since: timeText(),
      disabled_at: null,
    })
    receiver.respond = respondWith(200)
    time.now += 5 * second
    await ours.notes(200)
    expect(await ours.only()).toMatchObject({ failing_since: null, last_attempt: { message_id, error: null, attempted_at: timeText() } })
  })

  test('the secret is returned once, and neither listed, audited nor logged', async () => {
    const { secret, webhook } = await ours.create({ url: receiver.url })
    receiver.respond = respondWith(500)
    await ours.test(webhook.id)
    await ours.evaluate()
    const { entries } = await app.client.auditLog.query({ project_id: ours.project_id })
    expect(entries.map(({ operation }) => operation)).toEqual(['webhooks.test', 'webhooks.create'])
    await vi.waitFor(() => expect(lines.join()).toContain('the receiver responded with status 500'), 60_000)
    expect(JSON.stringify([await ours.list(), entries, lines])).not.toContain(secret.slice('whsec_'.length))
  })

  test('a test is sent once, and says what came of it', async () => {
    const { secret, webhook } = await ours.create({ url: receiver.url })
    const accepted = await ours.test(webhook.id)
    const [message] = receiver.received as [ReceivedMessage]
    const message_id = message.headers['webhook-id']
    expect(accepted).toEqual({ message_id, event: 'webhook.test', status: 204, error: null, attempted_at: timeText() })
    expect(await isSignedWith(secret, message)).toBe(true)
    const { project_id } = ours
    expect(JSON.parse(message.body)).toMatchObject({
      type: 'webhook.test',
      data: { project_id, webhook_id: webhook.id, user_id: 'tester' },
    })
    receiver.respond = respondWith(404)
    expect(await ours.test(webhook.id)).toMatchObject({ status: 404, error: 'the receiver responded with status 404' })
    expect(await ours.only()).toMatchObject({ waiting: 0, last_attempt: { status: 404 } })
    await receives(receiver, 2)
  })

  test.each([
    ['one that ends the connection', (response: Parameters<Receiver['respond']>[0]) => void response.destroy(), { status: null }],
    [
      'one that says more than is read',
      (response: Parameters<Receiver['respond']>[0]) => void response.end('x'.repeat(1_000_000)),
      { status: 200 },
    ],
  ])('%s has its answer in a test', async (_, respond, expected) => {
    const { webhook } = await ours.create({ url: receiver.url })
    receiver.respond = respond
    expect(await ours.test(webhook.id)).toMatchObject(expected)
  })

  test('a receiver that says nothing is not waited for beyond the time for a response, which a test says', async () => {
    const impatient = await app.anotherServer({ jobQueue: `impatient-${kind}`, webhooks: { ...webhookTimes, timeoutMs: 100 } })
    const { webhook } = await ours.create({ url: receiver.url })
    receiver.respond = () => undefined
    const answer = await impatient.client.webhooks.test({ project_id: ours.project_id, webhook_id: webhook.id })
    expect(answer).toMatchObject({ status: null, error: 'no complete response within 100 ms' })
  })

  test('a host that the operator does not allow is not called', async () => {
    const inside = await aReceiver('127.0.0.2')
    const { webhook } = await ours.create({ url: inside.url })
    const refused = await ours.test(webhook.id)
    expect(refused).toMatchObject({ status: null })
    expect(refused.error).toContain('127.0.0.2')
    await ours.evaluate()
    await ours.waits(0)
    expect(await ours.only()).toMatchObject({ last_attempt: { event: 'evaluation.finished', error: refused.error } })
    expect(inside.received).toEqual([])
  })

  test('a receiver that redirects is not followed, and the message is given up', async () => {
    const elsewhere = await aReceiver()
    receiver.respond = respondWith(307, { location: elsewhere.url })
    await ours.create({ url: receiver.url })
    await ours.evaluate()
    await ours.notes(307)
    await ours.waits(0)
    expect((await ours.only()).last_attempt?.error).toBe('the receiver redirects (status 307); give its final URL')
    expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 0])
  })

  test('of webhooks that are created at once no more than ten are stored', async () => {
    const { perProject } = webhookLimits
    const created = await Promise.allSettled(Array.from({ length: perProject + 2 }, () => ours.create({ url: receiver.url })))
    const refused = created.filter(({ status }) => status === 'rejected')
    expect(refused).toEqual(
      Array.from({ length: 2 }, () => ({ status: 'rejected', reason: expect.objectContaining({ status: 400 }) as unknown })),
    )
    expect((await ours.list()).length).toBe(perProject)
    await ours.delete((await ours.list())[0]!.id)
    await ours.create({ url: receiver.url })
  })

  test('messages beyond those that may wait are dropped', async () => {
    receiver.respond = respondWith(500)
    await ours.create({ url: receiver.url })
    await ours.evaluate(8)
    await receives(receiver, 5)
    await ours.waits(5)
    expect(lines.join()).toContain('an event was dropped: too many messages of the webhook wait')
  })

  test('messages that wait are not sent once their webhook is deleted', async () => {
    receiver.respond = respondWith(500)
    const { webhook } = await ours.create({ url: receiver.url })
    await ours.evaluate()
    await receives(receiver, 1)
    await ours.waits(1)
    await ours.delete(webhook.id)
    expect(await ours.list()).toEqual([])
    time.now += 60 * second
    await ours.allSent()
    await receives(receiver, 1)
    await expect(ours.test(webhook.id)).rejects.toMatchObject({ status: 404 })
  })

  test('a message whose delivery a stop of the server cut is sent again with its id by the next one', async () => {
    const jobQueue = `cut-${kind}`
    const stopped = await app.anotherServer({ jobQueue })
    const webhooks = await webhooksOfProject({ ...stopped, stores: app.stores }, app.newProject())
    await webhooks.create({ url: receiver.url })
    receiver.respond = () => undefined
    await webhooks.evaluate()
    await receives(receiver, 1)
    await stopped.service.close()
    receiver.respond = respondWith(200)
    const next = await app.anotherServer({ jobQueue })
    await receives(receiver, 2)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const listed = () => next.client.webhooks.list({ project_id: webhooks.project_id })
    await vi.waitFor(async () => expect((await listed()).webhooks).toMatchObject([{ waiting: 0, last_attempt: { status: 200 } }]), 60_000)
  })

  test('a webhook needs an event, a URL and a project that exists', async () => {
    const refused = (webhook: object) =>
      ours.create({ url: receiver.url, ...webhook }).then(
        () => 'created',
        ({ status }: { status: number }) => status,
      )
    expect(await refused({ events: [] })).toBe(422)
    expect(await refused({ events: ['other'] })).toBe(422)
    expect(await refused({ name: '' })).toBe(422)
    expect(await refused({ url: 'http://user:word@127.0.0.1/' })).toBe(422)
    expect(await refused({ project_id: app.newProject() })).toBe(404)
    expect(await ours.list()).toEqual([])
    const { entries } = await app.client.auditLog.query({ project_id: ours.project_id })
    expect(entries).toEqual([])
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
