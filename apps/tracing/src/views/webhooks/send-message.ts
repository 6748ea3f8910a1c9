import { parseRetryAfter } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { type OpenResponse, type Outgoing, OutgoingError } from '@heddle/outgoing'
import { headersOfMessage } from './sign-message.ts'
import { webhookLimits } from './webhook-limits.ts'
import type { StoredWebhook } from './webhooks-store.ts'

/**
 * The result of one attempt. Only the status of a response is stored and shown, not its content: the receiver may be a host that only this server
 * reaches.
 */
export interface SentMessage {
  /** Null without a response. */
  status: number | null
  /** Null where the message was accepted. */
  error: string | null
  /** True: a further attempt would fail as well. */
  isPermanent: boolean
  /** Delay from the receiver's `retry-after`; 0 without one. */
  retryAfterMs: number
}

/** Sends a message once. @throws the reason of the signal when that aborts */
export type SendMessage = (
  webhook: Pick<StoredWebhook, 'url' | 'secret'>,
  message: { id: string; body: string },
  signal: AbortSignal,
) => Promise<SentMessage>

interface SendMessageDeps {
  outgoing: Outgoing
  clock: () => Micros
  timeoutMs: number
}

export function createSendMessage({ outgoing, clock, timeoutMs }: SendMessageDeps): SendMessage {
  return async ({ url, secret }, { id, body }, signal) => {
    const nowMs = clock() / 1_000
    const signed = headersOfMessage({ id, timestamp: Math.floor(nowMs / 1_000), body }, secret)
    const headers = { 'content-type': 'application/json', 'user-agent': 'heddle-webhook', ...signed }
    const request = { url, method: 'POST' as const, headers, body, followsRedirects: false }
    try {
      const response = await outgoing.open({ ...request, maxResponseBytes: webhookLimits.responseBytes, timeoutMs, signal })
      await close(response)
      return judge(response, nowMs)
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error
      return { status: null, error: error.message, isPermanent: error.kind === 'refused', retryAfterMs: 0 }
    }
  }
}

/** Leaves the response after its first part, which closes its connection: the status alone counts. */
async function close({ content }: OpenResponse): Promise<void> {
  try {
    for await (const _ of content) return
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error
  }
}

function judge({ status, headers }: OpenResponse, nowMs: number): SentMessage {
  if (status >= 200 && status < 300) return { status, error: null, isPermanent: false, retryAfterMs: 0 }
  const redirects = status >= 300 && status < 400
  const retryAfter = new Headers({ 'retry-after': String(headers['retry-after'] ?? '') })
  return {
    status,
    error: redirects ? `the receiver redirects (status ${status}); give its final URL` : `the receiver responded with status ${status}`,
    isPermanent: redirects || status === 410,
    retryAfterMs: parseRetryAfter(retryAfter, nowMs) ?? 0,
  }
}
