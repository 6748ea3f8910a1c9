import { defaultOutboxLimits, type OutboxLimits } from '../../events/event-outbox.ts'

/** `docs/limits.md` shows them to users. */
export const webhookLimits = {
  /** Webhooks of a project. */
  perProject: 10,
  /** Delay after the first attempt of a message; it doubles with each, up to the longest. */
  firstDelayMs: 5_000,
  longestDelayMs: 3_600_000,
  /** Attempts of a message end this long after its event. */
  retriedMs: 24 * 3_600_000,
  /** A webhook that accepted nothing for so long is disabled. */
  failingMs: 3 * 24 * 3_600_000,
  /** Bytes of a response that are read. */
  responseBytes: 64 * 1024,
  /** Characters of a text in a message. */
  textCharacters: 2_000,
} as const

/** The beginning of a text that a message may hold. */
export const cutText = (text: string): string => text.slice(0, webhookLimits.textCharacters).toWellFormed()

/** How webhooks are called. `docs/limits.md` shows the usual values to users. */
export interface WebhookSettings extends OutboxLimits {
  /** For a response. */
  timeoutMs: number
  /** Between two looks for messages that are due. */
  pollMs: number
}

export const defaultWebhookSettings: WebhookSettings = { timeoutMs: 10_000, pollMs: 1_000, ...defaultOutboxLimits }
