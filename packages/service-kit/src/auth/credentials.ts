import { Buffer } from 'node:buffer'
import { readSessionCookie } from './session-cookie.ts'

/** Longer header values are never a credential. */
const maxLength = 4_096

/**
 * The secret of a request: the password of Basic with any user name, a Bearer token, the header `wandb-api-key` or `x-api-key`, or the session
 * cookie of a browser, in that order. Clients of the Tinker API send only keys that begin with `tml-`, which is left out.
 * Undefined when none is given or it is malformed; the value is not checked.
 */
export function readCredential(headers: Pick<Headers, 'get'>): string | undefined {
  const authorization = headers.get('authorization')
  const secret =
    authorization === null
      ? (headers.get('wandb-api-key') ?? headers.get('x-api-key')?.replace(/^tml-/, '') ?? readSessionCookie(headers))
      : fromAuthorization(authorization)
  return secret && secret.length <= maxLength ? secret : undefined
}

function fromAuthorization(value: string): string | undefined {
  const [, scheme = '', rest = ''] = /^([A-Za-z]+) +(\S+)$/.exec(value.trim()) ?? []
  if (scheme.toLowerCase() === 'bearer') return rest
  return scheme.toLowerCase() === 'basic' ? passwordOf(rest) : undefined
}

function passwordOf(encoded: string): string | undefined {
  const pair = Buffer.from(encoded, 'base64').toString()
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : pair.slice(colon + 1)
}
