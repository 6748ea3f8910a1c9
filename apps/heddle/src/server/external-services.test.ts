import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { openExternalServices } from './external-services.ts'
import { parseProviders } from '../settings/providers-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-outside-'))
})
afterAll(() => rm(folder, { recursive: true }))

const quiet = { warn: () => undefined }
const open = (environment: Record<string, string>) => openExternalServices(toConfiguration({ environment, flags: {} }), quiet)

test('no provider is configured by default', async () => {
  const { providers, catalogue } = await open({})
  expect(providers.find('gpt-image-1')).toBeUndefined()
  expect(await catalogue.models()).toEqual([])
})

test('OpenAI needs only a key, a compatible server only a base URL', async () => {
  const openAi = (await open({ HEDDLE_OPENAI_API_KEY: 'sk-1' })).providers
  expect(openAi.find('m')).toEqual({ provider: { name: 'openai', baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-1' }, model: 'm' })
  expect(openAi.find('openai/m')).toMatchObject({ model: 'm' })
  const local = (await open({ HEDDLE_OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1/' })).providers
  expect(local.find('a/b')).toEqual({ provider: { name: 'openai', baseUrl: 'http://127.0.0.1:8000/v1', apiKey: undefined }, model: 'a/b' })
})

test('a file configures several providers and the default one', async () => {
  const path = join(folder, 'providers.json')
  await writeFile(
    path,
    JSON.stringify({
      default: 'local',
      providers: { local: { base_url: 'http://127.0.0.1:1/v1' }, far: { base_url: 'https://far.test', api_key: 'k' } },
    }),
  )
  const { providers } = await open({ HEDDLE_PROVIDERS_FILE: path, HEDDLE_OPENAI_API_KEY: 'sk-1' })
  expect(providers.find('m')).toMatchObject({ provider: { name: 'local' }, model: 'm' })
  expect(providers.find('far/m')).toEqual({ provider: { name: 'far', baseUrl: 'https://far.test', apiKey: 'k' }, model: 'm' })
  expect(providers.find('openai/m')).toMatchObject({ provider: { name: 'openai', apiKey: 'sk-1' } })
})

test('configured private hosts may be called, and no others', async () => {
  const server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask = (externalServices: Awaited<ReturnType<typeof open>>) =>
    externalServices.outgoing.send({ url: `http://127.0.0.1:${port}/`, maxResponseBytes: 10, timeoutMs: 30_000 })
  await expect(ask(await open({}))).rejects.toMatchObject({ kind: 'refused' })
  await expect(ask(await open({ HEDDLE_OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }))).rejects.toMatchObject({ kind: 'refused' })
  for (const environment of [
    { HEDDLE_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    { HEDDLE_INFERENCE_CATALOGUE: `http://127.0.0.1:${port}/models` },
    { HEDDLE_ALLOWED_HOSTS: ' other.test, 127.0.0.0/8' },
  ])
    expect((await ask(await open(environment))).status).toBe(200)
  server.close()
})

test.each([
  ['{', 'not valid JSON'],
  ['[]', 'not a JSON object'],
  ['{}', '"providers" must be an object'],
  ['{"providers":{"a b":{}}}', 'invalid provider name "a b"'],
  ['{"providers":{"a":{}}}', '"base_url" of provider "a" must start with http:// or https://'],
  ['{"providers":{"a":{"base_url":"http://u:p@x"}}}', 'have no credentials'],
  ['{"providers":{"a":{"base_url":"http://x","api_key":"hush hush"}}}', '"api_key" of provider "a" must be visible ASCII'],
  ['{"default":"b","providers":{"a":{"base_url":"http://x"}}}', '"default" must be one of a, got "b"'],
])('providers like %s are refused, without a key in the message', (text, message) => {
  expect(() => parseProviders(text)).toThrow(message)
  expect(() => parseProviders(text)).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hush') }))
})

test('a missing file is an error that names it', async () => {
  await expect(open({ HEDDLE_PROVIDERS_FILE: join(folder, 'none.json') })).rejects.toThrow(/cannot load model providers from .*none\.json/)
})
