import { badRequest } from '@heddle/core-api/internal'

/** The URL as messages are sent to it. Which hosts the server may connect to is decided at each attempt. @throws ApiError 400 */
export function checkedWebhookUrl(text: string): string {
  if (!URL.canParse(text)) throw badRequest('url: not a valid URL; give one that starts with https:// or http://')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw badRequest(`url: must start with https:// or http://, got ${url.protocol.slice(0, 40)}`)
  if (url.username !== '' || url.password !== '')
    throw badRequest('url: must not contain a user or a password; messages are signed instead')
  url.hash = ''
  return url.href
}
