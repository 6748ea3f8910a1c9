import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytes = 32

/** One attempt to deliver a message. */
export interface SignedMessage {
  /** The same in all attempts. */
  id: string
  /** Unix seconds of the attempt. */
  timestamp: number
  body: string
}

/** A secret as the Standard Webhooks specification writes it: `whsec_` and the Base64 of random bytes, here 256 bits. */
export const newWebhookSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64')

/**
 * The headers of a message by the Standard Webhooks specification 1.0 (github.com/standard-webhooks/standard-webhooks, `spec/standard-webhooks.md`):
 * its id, the time of the attempt, and the symmetric signature `v1`: the HMAC-SHA256 over id, time and body, joined by dots.
 */
export function headersOfMessage({ id, timestamp, body }: SignedMessage, secret: string): Record<string, string> {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` }
}
