import { expect, test } from 'vitest'
import { createPrompts, type VerifierTask, verifierTasks } from './verifier-tasks.ts'

const named = (name: string) => verifierTasks.find((task) => task.name === name) as VerifierTask
const [sum, word, call] = ['arithmetic', 'word constraint', 'tool call'].map((name) => createPrompts(named(name), 4, 1)[0]!)
const asked = (prompt: { conversation: { messages: readonly { content?: unknown }[] } }) => String(prompt.conversation.messages[0]?.content)

test('a sum is right as its digits alone', () => {
  const [a = 0, b = 0] = (asked(sum!).match(/\d/g) ?? []).map(Number)
  expect([String(a + b), ` ${a + b}`, `${a + b}.`, String(a + b + 1), ''].map((text) => sum!.reward(text))).toEqual([1, 0, 0, 0, 0])
})

test('a word has the letter, the length and a vowel', () => {
  const letter = /(?:begins|starts) with ([a-z])/.exec(asked(word!))?.[1] ?? ''
  expect([`${letter}ook`, `${letter}xyz`, `${letter}kkk`, `${letter}ooks`, `x${letter}ok`].map((text) => word!.reward(text))).toEqual([
    1, 1, 0, 0, 0,
  ])
})

test('a call has the tool and its arguments, and is nothing but JSON', () => {
  const city = /in (\w+)\?/.exec(asked(call!))?.[1] ?? ''
  const texts = [
    `<tool_call>{"name":"get_weather","arguments":{"city":"${city}"}}</tool_call>`,
    `<tool_call>{"name":"weather","arguments":{"city":"${city}"}}</tool_call>`,
    '<tool_call>{"name":"get_weather","arguments":{"city":"Atlantis"}}</tool_call>',
    '<tool_call>{"name":"get_weather","arguments":{}}}</tool_call>',
    `{"name":"get_weather","arguments":{"city":"${city}"}}`,
    '<tool_call>null</tool_call>',
  ]
  expect(texts.map((text) => call!.reward(text))).toEqual([1, 0, 0, 0, 0, 0])
})

test('prompts follow from the seed', () => {
  const texts = (seed: number) => verifierTasks.flatMap((task) => createPrompts(task, seed, 5).map(asked))
  expect(texts(1)).toEqual(texts(1))
  expect(texts(1)).not.toEqual(texts(2))
})
