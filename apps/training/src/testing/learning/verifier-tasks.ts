import { createRandom, type Random } from '../../../pretraining/data/random.ts'
import { cities } from '../../../pretraining/data/vocabulary.ts'
import type { Conversation } from '../../tokenizer/conversation.ts'

/** A prompt with a program that judges the answer. */
export interface VerifiedPrompt {
  conversation: Pick<Conversation, 'messages' | 'tools'>
  /** 1 for an answer that is right, else 0. `text` is the whole turn, special tokens as they are written. */
  reward(text: string): number
}

export interface VerifierTask {
  name: string
  /** Jobs in which the smallest base model learns it from any seed: prompts of each, and attempts at each prompt. */
  trial: { jobs: number; groups: number; attempts: number }
  createPrompt(random: Random): VerifiedPrompt
}

const ask = (content: string) => [{ role: 'user', content }]

const arithmetic: VerifierTask = {
  name: 'arithmetic',
  trial: { jobs: 150, groups: 16, attempts: 16 },
  createPrompt: (random) => {
    const [a, b] = [random.int(0, 9), random.int(0, 9)]
    const asked = random.pick([`What is ${a}+${b}?`, `What is ${a} plus ${b}?`, `Add ${a} and ${b}.`])
    return { conversation: { messages: ask(asked) }, reward: (text) => Number(text === String(a + b)) }
  },
}

/** Two things at once, of which the base model was taught each alone. */
const wordConstraint: VerifierTask = {
  name: 'word constraint',
  trial: { jobs: 48, groups: 8, attempts: 8 },
  createPrompt: (random) => {
    const letter = random.pick([...'abcdfghlmprst'])
    const asked = random.pick([
      `Reply with a word of 4 letters that begins with ${letter}.`,
      `A word that starts with ${letter} and has 4 letters?`,
    ])
    const pattern = new RegExp(`^${letter}[a-z]{3}$`)
    return { conversation: { messages: ask(asked) }, reward: (text) => Number(pattern.test(text) && /[aeiouy]/.test(text)) }
  },
}

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

const toolCall: VerifierTask = {
  name: 'tool call',
  trial: { jobs: 32, groups: 8, attempts: 8 },
  createPrompt: (random) => {
    const city = random.pick(cities)
    const asked = random.pick([`What is the weather in ${city}?`, `Weather in ${city}?`, `How is the weather in ${city}?`])
    return {
      conversation: { messages: ask(asked), tools: [weather] },
      reward: (text) => judgeCall(text, { name: weather.function.name, arguments: { city } }),
    }
  },
}

interface Call {
  name: string
  arguments: Record<string, unknown>
}

function judgeCall(text: string, expected: Call): number {
  const call = parseCall(/^<tool_call>(.*)<\/tool_call>$/s.exec(text)?.[1])
  return Number(call?.name === expected.name && JSON.stringify(call.arguments) === JSON.stringify(expected.arguments))
}

function parseCall(text: string | undefined): Partial<Call> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' ? (value as Partial<Call> | null) : null
  } catch {
    return null
  }
}

/** Tasks that a program judges. The base models solve some of each, so that there is something to learn from, and not all. */
export const verifierTasks: readonly VerifierTask[] = [arithmetic, wordConstraint, toolCall]

/** Prompts that follow from a seed. */
export function createPrompts(task: VerifierTask, seed: number, count: number): VerifiedPrompt[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, () => task.createPrompt(random))
}
