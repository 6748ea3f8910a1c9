/** How webhooks are called. `docs/limits.md` shows the usual values to users. */
export interface WebhookSettings {
  /** For a response. */
  timeoutMs: number
  /** Between two looks for messages that are due. */
  pollMs: number
  /** Messages of a webhook that wait for their delivery. */
  maxWaiting: number
  /** To deliver a message. */
  maxAttempts: number
}

export const defaultWebhookSettings: WebhookSettings = { timeoutMs: 10_000, pollMs: 1_000, maxWaiting: 500, maxAttempts: 20 }
