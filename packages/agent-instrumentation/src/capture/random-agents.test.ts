import fc from 'fast-check'
import OpenAI from 'openai'
import { trials } from '@heddle/testing'
import { expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { isChoice, messageOf } from '@heddle/core-api/histories'
import { createModelEndpoint } from '../testing/model-endpoint.ts'
import { createResponsesEndpoint } from '../testing/responses-endpoint.ts'
import type { RecordedGroup } from '../trajectory/recorded.ts'
import { objectsOf } from './json-values.ts'

type Said = { role: 'user' | 'assistant'; content: string }

const chat = createModelEndpoint(({ body }) => ({ pieces: ['re: ', String(body.messages.at(-1)?.['content'])] }))
const responses = createResponsesEndpoint(({ input }) => ({ pieces: ['re: ', String(objectsOf(input).at(-1)?.['content'])] }))
const endpoint: typeof fetch = (input, init) => (String(input).endsWith('/responses') ? responses : chat).fetch(input, init)

/** How a call ends: to its end, or by the program leaving its stream, or with its signal aborted before it is sent. */
const ending = fc.constantFrom('whole', 'streamed', 'streamed', 'left', 'aborted')
const call = fc.record({ api: fc.constantFrom('chat', 'responses'), ending, keep: fc.boolean(), together: fc.boolean() })
const attempt = fc.record({ calls: fc.array(call, { maxLength: 6 }), throws: fc.boolean(), finishes: fc.boolean() })
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

async function runCall(client: OpenAI, said: Said[], { api, ending: end }: Pick<Call, 'api' | 'ending'>): Promise<void> {
  const options = end === 'aborted' ? { signal: AbortSignal.abort() } : {}
  const stream = end === 'streamed' || end === 'left'
  const request = async (): Promise<unknown> =>
    api === 'chat'
      ? client.chat.completions.create({ model: 'm', messages: said, logprobs: true, stream }, options)
      : client.responses.create({ model: 'm', input: said, stream }, options)
  if (end === 'aborted') await expect(request()).rejects.toThrow('aborted')
  else if (stream) for await (const event of (await request()) as AsyncIterable<object>) if (end === 'left' && hasText(event)) break
  if (end === 'whole') await request()
}

function hasText(event: object): boolean {
  return JSON.stringify(event).includes('re: ')
}

/** What every choice was sampled from, by its text. */
function contextsOf(recorded: RecordedGroup['trajectories'][number]): [string, string[]][] {
  return [recorded, ...recorded.additional_histories].flatMap(({ messages_and_choices: all }) => {
    const texts = all.map((element) => `${String(messageOf(element)['role'])}: ${String(messageOf(element)['content'])}`)
    return all.flatMap((element, index): [string, string[]][] => (isChoice(element) ? [[texts[index] ?? '', texts.slice(0, index)]] : []))
  })
}

test('of random attempts over both APIs with branches, retries, aborts and throws, every choice is recorded once, with what it was sampled from', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 4 }), async (attempts) => {
      const agent = createAgentTracing({ environment: {}, fetch: endpoint })
      const client = agent.wrapOpenAI(new OpenAI({ baseURL: 'https://models.test/v1', apiKey: 'none', maxRetries: 0 }))
      const expected = new Map<string, [string, string[]][]>()
      const group = agent.group({ attempts: attempts.length, keepFailed: true })
      const recorded = await group.run(async (trajectory) => {
        const { calls, throws, finishes } = attempts[trajectory.attemptIndex]!
        const contexts: [string, string[]][] = []
        expected.set(trajectory.id, contexts)
        let conversation: Said[] = []
        const ask = async (text: string, how: Pick<Call, 'api' | 'ending'>) => {
          const said: Said[] = [...conversation, { role: 'user', content: text }]
          await runCall(client, said, how)
          if (how.ending === 'whole' || how.ending === 'streamed')
            contexts.push([`assistant: re: ${text}`, said.map(({ role, content }) => `${role}: ${content}`)])
          return [...said, { role: 'assistant' as const, content: `re: ${text}` }]
        }
        for (const [index, { keep, together, ...how }] of calls.entries()) {
          const text = `${trajectory.attemptIndex}.${index}`
          const [after] = await Promise.all([ask(text, how), together ? ask(`${text}b`, { ...how, ending: 'whole' }) : undefined])
          if (keep && how.ending !== 'aborted' && how.ending !== 'left') conversation = after
        }
        if (throws) throw new Error('random')
        trajectory.reward(1)
        if (finishes) await Promise.all([trajectory.finish(), trajectory.finish()])
      })
      expect(recorded.metadata['group_id']).toBe(group.id)
      const sorted = (contexts: [string, string[]][]) => contexts.toSorted(([a], [b]) => (a < b ? -1 : 1))
      const found = recorded.trajectories.map((one) => [one.metadata['trajectory_id'], sorted(contextsOf(one))])
      expect(found).toEqual([...expected].map(([id, contexts]) => [id, sorted(contexts)]))
      expect(recorded.trajectories.map(({ metadata }) => metadata['group_id'])).toEqual(attempts.map(() => group.id))
    }),
    { numRuns: trials({ usual: 40, long: 1_000 }) },
  )
}, 120_000)
