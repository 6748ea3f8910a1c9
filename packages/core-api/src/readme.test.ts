import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const answers: Record<string, [number, string]> = {
  '/call/start': [200, '{"id":"c1","trace_id":"t1"}'],
  '/call/end': [200, '{}'],
  '/calls/stream_query': [200, '{"op_name":"greet","output":"Hello, Ada"}\n'],
  '/feedback/create': [200, '{"id":"f1","created_at":"2026-01-02T03:04:05Z","wb_user_id":"ada","payload":{"emoji":"👎"}}'],
  '/threads/stream_query': [200, '{"thread_id":"user:1/chat 7","turn_count":2}\n'],
  '/project/members/query': [200, '{"members":["ada","Bob B"],"has_more":false}'],
  '/feedback/query': [200, '{"result":[{"payload":{"note":"@[ada] @[Bob B] is this right?"}}],"total_count":1}'],
  '/obj/read': [404, '{"reason":"Obj prompt:latest not found"}'],
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-readme-'))
const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  const [status, body] = answers[request.url ?? ''] ?? [500, '{}']
  request.resume().on('end', () => response.writeHead(status).end(body))
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

/** The code blocks of the README, with the packages it names and the server at its place. */
function readExamples(): string[] {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { exports: Record<string, string> }
  const toFile = (_: string, entry = '') => `'${new URL(`../${manifest.exports[`.${entry}`]}`, import.meta.url).href}'`
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) =>
    code
      .replace(/'@heddle\/core-api(\/\w+)?'/g, toFile)
      .replace("'zod'", `'${import.meta.resolve('zod')}'`)
      .replace('127.0.0.1:7400', `127.0.0.1:${(server.address() as AddressInfo).port}`),
  )
}

test('the examples of the README run and print what they promise', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  for (const [index, code] of readExamples().entries()) {
    const file = join(folder, `example-${index}.ts`)
    writeFileSync(file, code)
    await import(pathToFileURL(file).href)
  }
  const printed = log.mock.calls
  log.mockRestore()
  expect(printed).toEqual([
    ['greet', 'Hello, Ada'],
    [404, 'Obj prompt:latest not found'],
    ['greet'],
    ['greet'],
    ['user:1/chat 7', 2],
    [['ada', 'Bob B']],
    ['3.1.0'],
    [{ id: 'ada: hi' }],
    ['Find prices of a project', ['project_id']],
  ])
})
