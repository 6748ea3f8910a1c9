import { expect, test } from 'vitest'
import { WebhookUrl } from './webhook-url.ts'

test.each([
  ['https://example.com/hook?a=1', 'https://example.com/hook?a=1'],
  ['HTTP://Example.com:80#part', 'http://example.com/'],
])('%s is kept as %s', (text, url) => expect(WebhookUrl.parse(text)).toBe(url))

test.each([
  ['', 'a URL that starts with'],
  ['example.com/hook', 'a URL that starts with'],
  ['file:///etc/passwd', 'got file:'],
  ['ftp://example.com', 'got ftp:'],
  ['https://user@example.com/', 'no user and no password'],
  ['https://:word@example.com/', 'no user and no password'],
  [`https://example.com/${'a'.repeat(2_000)}`, 'at most 2000 characters'],
  [7, 'a valid string'],
])('%j is refused', (text, message) => expect(() => WebhookUrl.parse(text)).toThrow(message))
