import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadTokenizer } from '../../src/tokenizer/load-tokenizer.ts'
import { type Conversation, conversationOf, createConversation } from './conversation.ts'
import { callText, decodeAnswer, encodeConversation, encodePrompt } from './encode-conversation.ts'
import type { ToolSignature, Turn } from './exercise.ts'
import { createRandom } from './random.ts'
import { tasks } from './tasks.ts'

const folder = fileURLToPath(new URL('../../base-models/heddle-nano/', import.meta.url))

const toTool = ({ name, arguments: declared }: ToolSignature) => ({
  type: 'function',
  function: {
    name,
    description: 'is not written',
    parameters: { type: 'object', properties: Object.fromEntries(Object.entries(declared).map(([key, type]) => [key, { type }])) },
  },
})

function toMessage(turn: Turn) {
  if (turn.role !== 'assistant' || !turn.call) return turn
  const { name, arguments: values } = turn.call
  return {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: JSON.stringify(values) } }],
  }
}

const toRequest = ({ system, tools, turns }: Conversation) => ({
  messages: [...(system === null ? [] : [{ role: 'system', content: system }]), ...turns.map(toMessage)],
  ...(tools.length > 0 ? { tools: tools.map(toTool) } : {}),
})

test('conversations are the tokens that the chat template and the tokenizer of the model give', async () => {
  const tokenizer = await loadTokenizer(folder)
  const random = createRandom(11)
  for (let trial = 0; trial < 60; trial++) {
    const conversation = createConversation(random, tasks)
    expect([...encodeConversation(conversation).tokens]).toEqual([...tokenizer.encode(tokenizer.render(toRequest(conversation)))])
    const asked = { ...conversation, turns: conversation.turns.slice(0, 1) }
    const prompt = tokenizer.render({ ...toRequest(asked), addGenerationPrompt: true })
    expect([...encodePrompt(conversation)]).toEqual([...tokenizer.encode(prompt)])
  }
})

test('an answer is decoded as it was encoded, calls included', () => {
  const random = createRandom(2)
  for (const task of tasks) {
    const exercise = task.create(random)
    const { tokens } = encodeConversation(conversationOf({ ...exercise, turns: [exercise.turns[0], exercise.turns[1]] }, null))
    const prompt = encodePrompt(conversationOf(exercise, null))
    const [, answer] = exercise.turns
    const call = answer.role === 'assistant' && answer.call ? `<tool_call>${callText(answer.call)}</tool_call>` : ''
    expect(decodeAnswer(Array.from(tokens.subarray(prompt.length, -2)))).toBe(answer.content + call)
  }
  expect(decodeAnswer(null)).toBeNull()
})
