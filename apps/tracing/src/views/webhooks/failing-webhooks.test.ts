import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type TestApp } from '../../testing/start-test-app.ts'
import { type ReceivedMessage, respondWith, type Receiver } from './testing/start-receiver.ts'
import { isSignedWith } from './testing/verify-message.ts'
import {
  aReceiver,
  hour,
  receives,
  second,
  startWebhooksApp,
  webhooksOfProject,
  type WebhooksOfProject,
} from './testing/webhooks-of-project.ts'

describe.each(['sqlite', 'postgres'] as const)('a webhook that fails, on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  const time = { now: 1_800_000_000 * second }
  let app: TestApp
  let ours: WebhooksOfProject
  let receiver: Receiver
  let secret: string
  let webhook_id: string

  beforeAll(async () => {
    app = await startWebhooksApp(time, kind === 'postgres' ? postgresUrl : undefined)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    ours = await webhooksOfProject(app, app.newProject())
    receiver = await aReceiver()
    receiver.respond = respondWith(500)
    const created = await ours.create({ url: receiver.url })
    ;[secret, webhook_id] = [created.secret, created.webhook.id]
  })

  /** Of `startWebhooksApp`. */
  const maxAttempts = 6
  const timesOf = (messages: readonly ReceivedMessage[]) => messages.map(({ headers }) => Number(headers['webhook-timestamp']))

  /** Sends a message, and fails to, until it is given up. */
  async function giveUp(): Promise<void> {
    const before = receiver.received.length
    await ours.evaluate()
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      await receives(receiver, before + attempt)
      await ours.waits(attempt === maxAttempts ? 0 : 1)
      time.now += hour
    }
  }

  test('gets the message again with the same id and body and a new signature, later each time', async () => {
    const start = time.now / second
    await ours.evaluate()
    await receives(receiver, 1)
    for (const [already, delay] of [5, 10, 20, 40].entries()) {
      await ours.waits(1)
      time.now += (delay - 1) * second
      await ours.allSent()
      await receives(receiver, already + 1)
      time.now += second
      await receives(receiver, already + 2)
    }
    const { received } = receiver
    expect(timesOf(received).map((at) => at - start)).toEqual([0, 5, 15, 35, 75])
    expect(new Set(received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(received.length)
    for (const message of received) expect(await isSignedWith(secret, message)).toBe(true)
  })

  test('is waited for as long as it asks', async () => {
    receiver.respond = respondWith(503, { 'retry-after': '90' })
    await ours.evaluate()
    await receives(receiver, 1)
    await ours.waits(1)
    time.now += 89 * second
    await ours.allSent()
    await receives(receiver, 1)
    time.now += second
    await receives(receiver, 2)
  })

  test('gets a message no more often than it may', async () => {
    await giveUp()
    time.now += 2 * hour
    await ours.allSent()
    await receives(receiver, maxAttempts)
    expect(await ours.only()).toMatchObject({ waiting: 0, disabled_at: null })
  })

  test('gets no message again that is older than 24 hours', async () => {
    await ours.evaluate()
    await receives(receiver, 1)
    await ours.waits(1)
    time.now += 24 * hour + second
    await ours.waits(0)
    await ours.allSent()
    await receives(receiver, 1)
  })

  test('is disabled when a message is given up and none was accepted for three days, until it accepts a test', async () => {
    await ours.evaluate()
    await receives(receiver, 1)
    await ours.waits(1)
    const { failing_since } = await ours.only()
    time.now += 72 * hour
    await giveUp()
    const disabled = await ours.only()
    expect(disabled.disabled_at).not.toBeNull()
    expect(disabled.failing_since).toBe(failing_since)
    const before = receiver.received.length
    await ours.evaluate()
    expect(await ours.only()).toMatchObject({ waiting: 0 })
    expect(await ours.test(webhook_id)).toMatchObject({ status: 500 })
    expect((await ours.only()).disabled_at).toBe(disabled.disabled_at)
    receiver.respond = respondWith(200)
    expect(await ours.test(webhook_id)).toMatchObject({ status: 200 })
    expect(await ours.only()).toMatchObject({ disabled_at: null, failing_since: null })
    await ours.evaluate()
    await receives(receiver, before + 3)
  })

  test('that says it is gone is disabled at once, and what waits is given up', async () => {
    await ours.evaluate()
    await receives(receiver, 1)
    await ours.waits(1)
    receiver.respond = respondWith(410)
    await ours.evaluate()
    await ours.notes(410)
    expect((await ours.only()).disabled_at).not.toBeNull()
    time.now += 10 * second
    await ours.waits(0)
    await receives(receiver, 2)
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
