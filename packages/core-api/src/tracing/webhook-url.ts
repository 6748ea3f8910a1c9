import { checked, Refusal } from '../shapes/checked.ts'

const maxCharacters = 2_000
const description = `http or https, without a user and a password; at most ${maxCharacters} characters`

/** The URL as messages are sent to it, without a fragment. Which hosts the server may connect to is decided at each attempt. */
export const WebhookUrl = checked<string>(readUrl, { type: 'string', maxLength: maxCharacters, description })

function readUrl(value: unknown): string | Refusal {
  if (typeof value !== 'string') return new Refusal('string_type', 'Input should be a valid string')
  if (value.length > maxCharacters) return new Refusal('string_too_long', `URL should have at most ${maxCharacters} characters`)
  if (!URL.canParse(value)) return new Refusal('url_parsing', 'Input should be a URL that starts with https:// or http://')
  const url = new URL(value)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return new Refusal('url_scheme', `URL should start with https:// or http://, got ${url.protocol.slice(0, 40)}`)
  if (url.username !== '' || url.password !== '')
    return new Refusal('url_credential', 'URL should have no user and no password; messages are signed instead')
  url.hash = ''
  return url.href
}
