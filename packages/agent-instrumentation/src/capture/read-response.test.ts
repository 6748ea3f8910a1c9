import { expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { readResponse } from './read-response.ts'

const body = '{"text":"né\u2028 𝕏"}'
const ways = {
  json: async (response: Response) => JSON.stringify(await response.json()),
  text: (response: Response) => response.text(),
  arrayBuffer: async (response: Response) => new TextDecoder().decode(await response.arrayBuffer()),
  blob: async (response: Response) => (await response.blob()).text(),
  stream: (response: Response) => new Response(response.body).text(),
  clone: (response: Response) => response.clone().text(),
}
type Way = keyof typeof ways
const all = Object.keys(ways) as Way[]

const create = () => new Response(body, { status: 201, headers: { 'x-model-step': '4' } })

/** What happens when a response is read in one way and then in another. */
async function outcomeOf(response: Response, first: Way, second: Way): Promise<unknown[]> {
  const one = await ways[first](response).catch((error: unknown) => (error as Error).name)
  const used = response.bodyUsed
  const other = await (async () => ways[second](response))().catch((error: unknown) => (error as Error).name)
  return [one, used, other, response.bodyUsed, response.status, response.headers.get('x-model-step')]
}

test.each(all.flatMap((first) => all.map((second): [Way, Way] => [first, second])))(
  'a response that was read before behaves as any other, read as %s and then as %s',
  async (first, second) => {
    const { text, response } = await readResponse(create())
    expect(text).toBe(body)
    expect(response).toBeInstanceOf(Response)
    expect(await outcomeOf(response, first, second)).toEqual(await outcomeOf(create(), first, second))
  },
)

test('a frozen response is copied', async () => {
  // As fetch makes it: a library may have replaced the class, by one that keeps what it reads in its own members.
  const frozen = Object.freeze(await fetch(`data:application/json,${encodeURIComponent(body)}`))
  const { text, response } = await readResponse(frozen)
  expect([text, await response.text(), response.status]).toEqual([body, body, 200])
})

test('a program can read a frozen response that was recorded', async () => {
  const frozen = async () => Object.freeze(await fetch(`data:application/json,${encodeURIComponent(body)}`))
  await using trajectory = createAgentTracing({ environment: {}, fetch: frozen }).group({ attempts: 1 }).start()
  const request = { method: 'POST', body: JSON.stringify({ model: 'm', messages: [] }) }
  const response = await trajectory.fetch('http://models.invalid/v1/chat/completions', request)
  expect(await response.text()).toBe(body)
})

test('a body that is not JSON fails where the program reads it as such', async () => {
  const { response } = await readResponse(new Response('not json'))
  await expect(response.json()).rejects.toThrow(SyntaxError)
})
