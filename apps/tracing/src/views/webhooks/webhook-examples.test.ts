import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codeIn } from '@heddle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { headersOfMessage, newWebhookSecret } from './sign-message.ts'

type ReadMessage = (headers: Record<string, string>, body: string, secret: string, now?: number) => { id: string }

const page = readFileSync(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8')

async function loadExample(): Promise<ReadMessage> {
  const [example = ''] = codeIn(page, 'js')
  const folder = mkdtempSync(join(tmpdir(), 'heddle-webhook-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'receiver.mjs')
  writeFileSync(file, example)
  return ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { readMessage: ReadMessage }).readMessage
}

test('the receiver of the documentation takes a message of the server, and no other', async () => {
  const readMessage = await loadExample()
  const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
  const timestamp = 1_800_000_000
  const body = '{"type":"webhook.test","timestamp":"2027-01-15T08:00:00Z","data":{}}'
  const headers = headersOfMessage({ id: 'one', timestamp, body }, secret)
  expect(readMessage(headers, body, secret, timestamp + 299)).toMatchObject({ id: 'one', type: 'webhook.test' })
  expect(() => readMessage(headers, body, secret, timestamp + 301)).toThrow('too old')
  expect(() => readMessage(headers, body, secret, timestamp - 301)).toThrow('too old')
  expect(() => readMessage(headers, body, secret)).toThrow('too old')
  const changed: [Record<string, string>, string, string][] = [
    [headers, `${body} `, secret],
    [headers, body, other],
    [{ ...headers, 'webhook-id': 'two' }, body, secret],
    [{ ...headers, 'webhook-timestamp': String(timestamp + 1) }, body, secret],
    [{ 'webhook-id': 'one', 'webhook-timestamp': String(timestamp) }, body, secret],
  ]
  for (const [given, text, key] of changed) expect(() => readMessage(given, text, key, timestamp)).toThrow('wrong signature')
})
