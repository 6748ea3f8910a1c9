import { inspect } from 'node:util'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { createAgentTracing } from './agent.ts'
import { createRuler } from './judging/ruler.ts'
import { createModelEndpoint } from './testing/model-endpoint.ts'
import { recordSpans } from './testing/record-spans.ts'

const key = 'key-canary-4321'

/** A service that says back which key it was given, as some do. */
const refusing: typeof fetch = async (_, init) =>
  Response.json({ detail: 'no such key' }, { status: 401, headers: { 'x-key': new Headers(init?.headers).get('authorization') ?? '' } })

test('no key is in what is recorded, in spans, in errors or in what our objects show', async () => {
  const endpoint = createModelEndpoint(() => ({ pieces: ['yes'] }))
  const agent = createAgentTracing({ environment: {}, apiKey: key, model: { id: 'm-1' }, fetch: endpoint.fetch })
  const refused = createAgentTracing({ environment: {}, apiKey: key, model: { id: 'm-1' }, fetch: refusing })
  const judge = createRuler({ model: 'judge', baseUrl: 'https://judge.test/v1', apiKey: key, fetch: refusing })
  const client = agent.wrapOpenAI(new OpenAI({ baseURL: 'https://models.test/v1', apiKey: key, fetch: endpoint.fetch }))
  const group = agent.group({ attempts: 2 })
  const { result, spans } = await recordSpans(() =>
    group.run(async (trajectory) => {
      await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'q' }] })
      trajectory.log(inspect(trajectory, { depth: 9, showHidden: true }))
      trajectory.reward(trajectory.attemptIndex)
    }),
  )
  const errors = await Promise.all(
    [refused.log('train', [result]), judge.score(result)].map((work) => work.catch((error: unknown) => error)),
  )
  expect(endpoint.requests[0]?.headers.get('authorization')).toContain(key)
  expect(errors.every((error) => error instanceof Error)).toBe(true)
  const shown = inspect([agent, refused, judge, group, errors], { depth: 20, showHidden: true })
  const sent = JSON.stringify([result, spans.map(({ attributes, events, status }) => [attributes, events, status])])
  for (const said of [shown, sent]) expect(said).not.toMatch(/canary|a2V5LWNhbmFyeQ|YXBpOmtleS1jYW5hcnk/)
})
