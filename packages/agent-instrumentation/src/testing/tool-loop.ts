import { expect } from 'vitest'
import type { JsonObject } from '@heddle/core-api'
import { isChoice } from '@heddle/core-api/histories'
import { objectsOf } from '../capture/json-values.ts'
import { logprobsOf } from '../trajectory/find-logprobs.ts'
import type { RecordedTrajectory } from '../trajectory/recorded.ts'
import { createModelEndpoint } from './model-endpoint.ts'
import { createResponsesEndpoint } from './responses-endpoint.ts'

/** A question that a model answers after it has added two numbers by its tool, over either API. Texts are hard on careless encoders. */
export const toolLoop = {
  system: 'Be brief.\n– é "x"',
  question: '2+2? \u2028 \\n 𝕏',
  tool: { name: 'add', description: 'Adds', result: '4' },
  response: 'it is 4',
} as const

const call = { name: toolLoop.tool.name, arguments: '{"a": 2,"b":2}' }
const response = ['it is ', '4']

/** The text before the call is optional: some frameworks send a text and its call back as two messages, which is another conversation. */
export function toolLoopByChat({ textBeforeCall = true } = {}) {
  return createModelEndpoint(({ body }) => {
    if (body.messages.some(({ role }) => role === 'tool')) return { pieces: response }
    return { pieces: textBeforeCall ? ['hm'] : [], toolCall: call }
  })
}

export function toolLoopByResponses() {
  return createResponsesEndpoint(({ input }) =>
    objectsOf(input).some(({ type }) => type === 'function_call_output') ? { pieces: response } : { pieces: ['hm'], toolCalls: [call] },
  )
}

/** Asserts that the tool loop is recorded as one history, as it was sent and sampled. */
export function expectToolLoop(
  recorded: RecordedTrajectory | undefined,
  { textBeforeCall = true, toolDefinitions = true, logprobs = true } = {},
) {
  const choices = objectsOf(recorded?.messages_and_choices.map((element) => element['message']))
  const [callId] = choices.flatMap(({ tool_calls: calls }) => objectsOf(calls)).map(({ id }) => id)
  expect(recorded).toMatchObject({
    additional_histories: [],
    tools: [
      { type: 'function', function: { name: toolLoop.tool.name, ...(toolDefinitions && { description: toolLoop.tool.description }) } },
    ],
    metrics: {},
    messages_and_choices: [
      { role: expect.stringMatching(/^(system|developer)$/), content: textEqualTo(toolLoop.system) },
      { role: 'user', content: textEqualTo(toolLoop.question) },
      {
        finish_reason: 'tool_calls',
        message: {
          content: textBeforeCall ? 'hm' : expect.toSatisfy(isNoText),
          tool_calls: [{ id: callId, type: 'function', function: call }],
        },
      },
      { role: 'tool', tool_call_id: callId, content: textEqualTo(toolLoop.tool.result) },
      {
        finish_reason: 'stop',
        message: { content: toolLoop.response },
        ...(logprobs && { logprobs: { content: response.map(() => ({ logprob: -0.5 })) } }),
      },
    ],
  })
  if (recorded) expect(logprobsOf(recorded)).toBe(logprobs ? (textBeforeCall ? 'complete' : 'partial') : 'none')
}

const isNoText = (content: unknown) => content === '' || content === null

/** Frameworks send a text as it is or as a part. */
function textEqualTo(text: string): unknown {
  return expect.toSatisfy((content: unknown) => JSON.stringify(content) === JSON.stringify(text) || isTextPart(content, text))
}

function isTextPart(content: unknown, text: string): boolean {
  const [part, ...others] = objectsOf(content)
  return part?.['type'] === 'text' && part['text'] === text && others.length === 0
}

/** Asserts that the text before the last choice is, byte for byte, the input of the last chat completion. */
export function expectContextsAsSent(recorded: RecordedTrajectory | undefined, requests: readonly object[]) {
  const { messages } = (requests.at(-1) as { body: { messages: JsonObject[] } }).body
  const before = recorded?.messages_and_choices.slice(0, -1) ?? []
  expect(before).toHaveLength(messages.length)
  for (const [index, element] of before.entries())
    if (!isChoice(element)) expect(JSON.stringify(element)).toBe(JSON.stringify(messages[index]))
}

/** Requests the log-probabilities of the Responses API, which some frameworks have no setting for. */
export function withLogprobs(inner: typeof fetch): typeof fetch {
  return (input, init) => {
    if (!String(input).endsWith('/responses')) return inner(input, init)
    const body = { ...(JSON.parse(String(init?.body)) as JsonObject), include: ['message.output_text.logprobs'] }
    return inner(input, { ...init, body: JSON.stringify(body) })
  }
}
