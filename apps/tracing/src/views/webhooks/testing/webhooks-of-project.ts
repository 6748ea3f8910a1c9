import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { expect, onTestFinished, vi } from 'vitest'
import { aCall, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp, type TestClient, type TestServer } from '../../../testing/start-test-app.ts'
import type { TracingDeps } from '../../../tracing-deps.ts'
import { startReceiver, type Receiver } from './start-receiver.ts'

export const second = 1_000_000
export const hour = 3_600 * second

/** Time as the server sees it, which the test moves. Microseconds. */
export interface SetTime {
  now: number
}

/** Looks for messages that are due forty times a second; five messages of a webhook may wait, each for six attempts. */
export const webhookTimes = { pollMs: 25, timeoutMs: 60_000, maxWaiting: 5, maxAttempts: 6 }

/** A server that may call receivers at 127.0.0.1. */
export function startWebhooksApp(time: SetTime, postgresUrl?: string, service?: Partial<TracingDeps>): Promise<TestApp> {
  return startTestApp({
    ...(postgresUrl !== undefined && { postgresUrl }),
    service: {
      clock: () => time.now,
      outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }),
      webhooks: webhookTimes,
      ...service,
    },
  })
}

/** A receiver until the end of the test. */
export async function aReceiver(host?: string): Promise<Receiver> {
  const receiver = await startReceiver(host)
  onTestFinished(() => receiver.close())
  return receiver
}

/** The receiver has so many messages, and no more. */
export async function receives(receiver: Receiver, count: number): Promise<void> {
  await vi.waitFor(() => {
    if (receiver.received.length < count) throw new Error(`received ${receiver.received.length}, expected ${count}`)
  }, 60_000)
  expect(receiver.received.length).toBe(count)
}

type NewWebhook = Parameters<TestClient['webhooks']['create']>[0]

/** The webhooks of a project that exists. */
export async function webhooksOfProject({ client, stores }: Pick<TestServer, 'client'> & Pick<TestApp, 'stores'>, project_id: string) {
  await client.objects.create({ obj: { project_id, object_id: 'thing', val: 1 } })
  const ofProject = stores.database.selectFrom('jobs').where('project_id', '=', project_id)
  const assertNoneUnderWay = async () => expect(await ofProject.select('id').where('state', '=', 'running').execute()).toEqual([])
  const list = async () => (await client.webhooks.list({ project_id })).webhooks

  return {
    project_id,
    list,
    create: (webhook: Pick<NewWebhook, 'url'> & Partial<NewWebhook>) =>
      client.webhooks.create({ project_id, name: 'hook', events: ['evaluation.finished'], ...webhook }),
    test: (webhook_id: string) => client.webhooks.test({ project_id, webhook_id }),
    delete: (webhook_id: string) => client.webhooks.delete({ project_id, webhook_id }),

    async only() {
      const [webhook, ...others] = await list()
      if (webhook === undefined || others.length > 0) throw new Error(`expected one webhook, not ${JSON.stringify(others)}`)
      return webhook
    },

    /** Records runs that have ended, of which webhooks are told in one request. */
    evaluate: (count = 1) =>
      record(client, ...Array.from({ length: count }, () => aCall({ project_id, op_name: 'Evaluation.evaluate', inputs: { self: 'e' } }))),

    /** No attempt is under way, and so many messages are to be sent, or sent again. */
    waits: (count: number) =>
      vi.waitFor(async () => {
        await assertNoneUnderWay()
        expect((await list()).reduce((sum, webhook) => sum + webhook.waiting, 0)).toBe(count)
      }, 60_000),

    /** The last attempt of the only webhook had this status. */
    async notes(status: number | null) {
      await vi.waitFor(async () => expect((await list())[0]?.last_attempt?.status).toBe(status), 60_000)
    },

    /** Resolves after all that was due before was sent: messages start in their order, a webhook receives the event of its creation, and then none is under way. */
    async allSent() {
      const last = await aReceiver()
      const { webhook } = await client.webhooks.create({ project_id, name: 'last', url: last.url, events: ['audit.entry'] })
      await receives(last, 1)
      await vi.waitFor(assertNoneUnderWay, 60_000)
      await client.webhooks.delete({ project_id, webhook_id: webhook.id })
    },
  }
}

export type WebhooksOfProject = Awaited<ReturnType<typeof webhooksOfProject>>
