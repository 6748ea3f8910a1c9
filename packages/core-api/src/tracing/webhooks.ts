import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'
import { ProjectId } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { WebhookUrl } from './webhook-url.ts'

/** The events of webhooks and when they are sent. `docs/webhooks.md` and `textOfEvent` of the pages describe each as well. */
const whenSent = {
  'evaluation.finished': 'the call of an evaluation run ended, whichever client recorded it',
  'training.finished': 'a training job succeeded, failed or was cancelled',
  'feedback.mention': 'a note was stored that mentions members of the project as `@[name]`',
  'audit.entry': 'an entry of the audit log got its outcome',
}
const events = Object.keys(whenSent) as (keyof typeof whenSent)[]

/** The events of webhooks. */
export const WebhookEvent = z.enum(events).describe(
  Object.entries(whenSent)
    .map(([event, when]) => `\`${event}\`: ${when}`)
    .join('. '),
)
export type WebhookEvent = z.output<typeof WebhookEvent>

/** One request to a webhook and its result. */
export const WebhookAttempt = z
  .object({
    message_id: z.string().describe('Sent as `webhook-id`; the same in all attempts to deliver a message'),
    event: z.enum([...events, 'webhook.test']).describe('`webhook.test`: requested by `webhooks.test`'),
    status: z.number().nullable().describe('HTTP status of the response. Null where there was none'),
    error: z.string().nullable().describe('Why the message was not accepted. Null where it was'),
    attempted_at: TimestampText,
  })
  .meta({ id: 'WebhookAttempt' })
export type WebhookAttempt = z.output<typeof WebhookAttempt>

/** A URL to which events of a project are sent, without its secret. */
export const Webhook = z
  .object({
    id: z.string(),
    name: z.string().describe('What it is for'),
    url: z.string(),
    events: z.array(WebhookEvent),
    created_by: z.string().describe('User of the key that created it'),
    created_at: TimestampText,
    waiting: z.number().describe('Messages that are to be sent, or sent again'),
    last_attempt: WebhookAttempt.nullable().describe('Null before the first'),
    failing_since: TimestampText.nullable().describe('First attempt that failed since one was accepted. Null where the last one was'),
    disabled_at: TimestampText.nullable().describe('Since then nothing is sent. Null: it is enabled'),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

const adminOnly = 'An addition of this server. Only for keys with the role `admin` in the project and all of its effects'
const OneWebhook = z.object({ project_id: ProjectId, webhook_id: z.string().max(128).describe('Id of the webhook, as it is listed') })

const createDescription = `${adminOnly}. At most 10 of a project (400).

A message is a POST of the JSON \`type\`, \`timestamp\` and \`data\`, by the Standard Webhooks specification 1.0: \`webhook-id\` is its id, \`webhook-timestamp\` the unix seconds of the attempt, and \`webhook-signature\` is \`v1,\` with the Base64 of the HMAC-SHA256 over \`id.timestamp.body\`, whose key is the secret, decoded from Base64 behind its \`whsec_\`.

Any status from 200 to 299 accepts it. Otherwise it is sent again with the same id, up to twenty times in all within about ten hours and never later than 24 hours after its event; a longer \`Retry-After\`, up to an hour, is waited for. A redirect, the status 410 and a host that this server may not connect to end it at once. A message may arrive twice, and after one of a later event. At most 500 of a webhook wait, further ones are dropped. A crash of the server delays an event by about five minutes, but for a mention, which is lost where the message was not yet written; of a change that it cut, the outcome is \`started\`. On several servers that share a database, a new webhook gets the events of the others after at most 5 seconds.

A webhook that answered 410, or whose message was given up when none had been accepted for three days, is disabled. A test that it accepts enables it again.`

/** URLs to which events of a project are sent. Each operation has the effect that the role `admin` alone allows. */
export const webhooks = defineResource('URLs to which events of a project are sent', {
  create: {
    method: 'POST',
    path: '/project/webhooks/create',
    effect: 'destroy',
    repeat: 'adds',
    summary: 'Create a webhook for a project',
    description: createDescription,
    body: z.object({
      project_id: ProjectId,
      name: z.string().min(1).max(128).describe('What it is for; 1 to 128 characters'),
      url: WebhookUrl,
      events: listOf(WebhookEvent, events.length).min(1).describe('At least one'),
    }),
    output: z.object({ webhook: Webhook, secret: z.string().describe('What its messages are signed with. Returned this once') }),
  },
  list: {
    method: 'POST',
    path: '/project/webhooks/list',
    effect: 'destroy',
    audit: false,
    summary: 'List the webhooks of a project with their last attempts',
    description: `${adminOnly}. In the order in which they were created.`,
    body: z.object({ project_id: ProjectId }),
    output: z.object({ webhooks: z.array(Webhook).describe('At most 10') }),
  },
  delete: {
    method: 'POST',
    path: '/project/webhooks/delete',
    effect: 'destroy',
    summary: 'Delete a webhook of a project',
    description: `${adminOnly}. Messages that wait are not sent any more.`,
    body: OneWebhook,
    output: z.object({}),
  },
  test: {
    method: 'POST',
    path: '/project/webhooks/test',
    effect: 'destroy',
    repeat: 'adds',
    summary: 'Send a message of the type `webhook.test` to a webhook',
    description: `${adminOnly}. It is sent once, within ten seconds, also to a webhook that is disabled, which is enabled when it accepts.`,
    body: OneWebhook,
    output: WebhookAttempt,
  },
})
