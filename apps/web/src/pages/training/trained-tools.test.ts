import { stringifyJson } from '@heddle/json/exact'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllGlobals())

const tools = '[{"type":"function","function":{"name":"find","parameters":{"properties":{"id":{"enum":[9007199254740993,1.0]}}}}}]'

/** The tools that are read where a server lists one job of this kind. */
async function read(kind: string) {
  vi.stubGlobal('window', { location: { origin: 'http://heddle.test' } })
  vi.stubGlobal('fetch', async (address: string | URL | Request) => {
    const path = new URL(address instanceof Request ? address.url : address).pathname
    const data = path.endsWith('/trajectories') ? `[{"tools":${tools}}]` : `[{"id":"j","kind":${JSON.stringify(kind)}}]`
    return new Response(`{"data":${data},"has_more":false}`, { headers: { 'content-type': 'application/json' } })
  })
  const { trainedToolsQuery } = await import('./trained-tools.ts')
  return new QueryClient().fetchQuery(trainedToolsQuery('m'))
}

test('the tools that a model was trained with keep their numbers', async () => {
  expect(stringifyJson(await read('rl'))).toBe(tools)
})

test('a model that was fine-tuned last has none', async () => {
  expect(await read('sft')).toEqual([])
})
