import { webcrypto } from 'node:crypto'
import type { ReceivedMessage } from './start-receiver.ts'

/** Whether a message was signed with the secret, computed as a receiver would that knows the specification alone. */
export async function isSignedWith(secret: string, { headers, body }: ReceivedMessage): Promise<boolean> {
  const bytes = Uint8Array.from(atob(secret.replace('whsec_', '')), (character) => character.charCodeAt(0))
  const key = await webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const [version, text = ''] = String(headers['webhook-signature']).split(',')
  const signature = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const signed = new TextEncoder().encode(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`)
  return version === 'v1' && webcrypto.subtle.verify('HMAC', key, signature, signed)
}
