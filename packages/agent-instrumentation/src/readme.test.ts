import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'heddle-readme-'))
let completions = 0

/** Answers wrongly every other time, so that there is something to learn. */
function completion() {
  const content = completions++ % 2 === 0 ? '7' : '8'
  const logprobs = { content: [{ token: 'token_id:55', logprob: -0.7, bytes: [55], top_logprobs: [] }], refusal: null }
  return { model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, logprobs }] }
}

const responses: Record<string, () => object> = {
  '/v1/chat/completions': completion,
  '/v1/preview/models': () => ({ id: 'm1' }),
  '/v1/preview/training-jobs': () => ({ id: 'j1' }),
  '/v1/preview/training-jobs/j1/events': () => ({ data: [{ id: 'e1', type: 'training_ended', data: {} }], has_more: false }),
}
const server = createServer((request, response) => {
  const body = responses[(request.url ?? '').replace(/\?.*/, '')]?.() ?? {}
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

test('the first example of the README runs and prints what it promises', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const here = code
    .replace("'@heddle/agent-instrumentation'", `'${new URL('index.ts', import.meta.url).href}'`)
    .replace("'openai'", `'${import.meta.resolve('openai')}'`)
    .replace('127.0.0.1:7400', `127.0.0.1:${(server.address() as AddressInfo).port}`)
  const file = join(folder, 'example.ts')
  writeFileSync(file, here)
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await import(pathToFileURL(file).href)
  const printed = log.mock.calls
  log.mockRestore()
  expect(printed).toEqual([[[]], ['training_ended']])
})
