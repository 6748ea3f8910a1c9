/** Header of a request's id, in requests of a proxy and in every response. */
export const requestIdHeader = 'x-request-id'

const token = /^[A-Za-z0-9._-]{1,128}$/
/** Ids are logged, and keys are not. */
const keyShape = /heddle[a-z0-9]{45}/

/** Whether a text can be the id of a request: at most 128 letters, digits and `._-`. */
export const isRequestId = (text: string): boolean => token.test(text)

/** The id of a request: that which a proxy gave it, else a new UUID. One that cannot be an id, or holds a key, is replaced. */
export function requestIdOr(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && isRequestId(given) && !keyShape.test(given) ? given : globalThis.crypto.randomUUID()
}
