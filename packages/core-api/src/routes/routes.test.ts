import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createClient } from '../client/create-client.ts'
import { everyKind } from '../testing/every-kind.ts'
import { tracing } from '../tracing/index.ts'
import { training } from '../training/index.ts'
import { toRoutes, tracingRoutes, trainingRoutes } from './index.ts'

describe('the routes', () => {
  test.each([
    ['tracing', tracing, tracingRoutes],
    ['training', training, trainingRoutes],
  ])('of %s name every operation of the contract as it is declared', (_, contract, routes) => {
    expect(routes).toEqual(toRoutes(contract))
  })

  test.each(['tracing-routes.ts', 'training-routes.ts', 'index.ts', 'route.ts'])('load no schema: %s', (file) => {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    const loaded = [...text.matchAll(/^(?:import|export) (?!type ).*from '(.*)'$/gm)].map(([, from]) => from)
    expect(loaded.filter((from) => !/^\.\/[\w-]*routes?\.ts$/.test(from ?? ''))).toEqual([])
  })

  test('make the client of the contract: it sends the same requests', async () => {
    const fromContract = await requestsOf({ contract: everyKind })
    expect(fromContract.length).toBeGreaterThan(4)
    expect(await requestsOf({ routes: toRoutes(everyKind) })).toEqual(fromContract)
  })
})

/** What a client sends for operations of every kind. */
async function requestsOf(operations: { contract: typeof everyKind } | { routes: ReturnType<typeof toRoutes<typeof everyKind>> }) {
  const sent: unknown[] = []
  const client = createClient({
    baseUrl: 'http://server.test',
    retries: 0,
    fetch: async (input, init) => {
      const { headers, method, body } = init ?? {}
      sent.push({ input, headers, method, body: body instanceof FormData ? [...body.keys()] : body })
      return Response.json({})
    },
    ...operations,
  })
  const input = {
    entity: 'e',
    project: 'p',
    project_id: 'e/p',
    thing_id: 't',
    tag: ['x'],
    limit: 2,
    'x-note': 'n',
    title: 'a',
    bytes: new Uint8Array([1]),
    files: [],
  }
  for (const send of Object.values(client.things) as ((value: unknown) => unknown)[]) {
    const answer = send(input)
    if (answer instanceof Promise) await answer
    else for await (const _ of answer as AsyncIterable<unknown>) break
  }
  return sent
}
