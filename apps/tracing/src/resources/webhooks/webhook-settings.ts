import { defaultOutboxLimits, type OutboxLimits } from '../../events/event-outbox.ts'

/** How webhooks are called. `docs/limits.md` shows the usual values to users. */
export interface WebhookSettings extends OutboxLimits {
  /** For a response. */
  timeoutMs: number
  /** Between two looks for messages that are due. */
  pollMs: number
}

export const defaultWebhookSettings: WebhookSettings = { timeoutMs: 10_000, pollMs: 1_000, ...defaultOutboxLimits }
