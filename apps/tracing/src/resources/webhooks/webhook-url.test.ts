import { expect, test } from 'vitest'
import { checkedWebhookUrl } from './webhook-url.ts'

test.each([
  ['https://example.com/hook?a=1', 'https://example.com/hook?a=1'],
  ['HTTP://Example.com:80#part', 'http://example.com/'],
])('%s is kept as %s', (text, url) => expect(checkedWebhookUrl(text)).toBe(url))

test.each([
  ['', 'not a valid URL'],
  ['example.com/hook', 'not a valid URL'],
  ['file:///etc/passwd', 'got file:'],
  ['ftp://example.com', 'got ftp:'],
  ['https://user@example.com/', 'must not contain a user'],
  ['https://:word@example.com/', 'must not contain a user'],
])('%j is refused', (text, message) => expect(() => checkedWebhookUrl(text)).toThrow(message))
