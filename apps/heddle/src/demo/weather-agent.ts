import { randomUUID } from 'node:crypto'
import type { ChatCompletion } from '@heddle/core-api/types'
import type { TrainingClient } from '../connect.ts'
import type { WeatherTask } from './weather-tasks.ts'
import { runTool, weatherTool } from './weather-tool.ts'

/** What an attempt came to, judged by the tool's table. */
export interface Attempt {
  /** Last text of the model; empty without one. */
  answer: string
  /** The tool was called for the city of the question. */
  asked: boolean
  /** The model called the tool, and its answer has the tool's result. */
  correct: boolean
  /** Half for the call, half for the answer. */
  reward: number
}

export interface AttemptOptions {
  client: TrainingClient
  /** Address of the model. */
  model: string
  /** Each model call of the attempt takes one that follows from it. */
  seed: number
  signal: AbortSignal
}

type Message = Record<string, unknown>

/** Model calls of one attempt. */
const maxTurns = 2
/** A call of the tool has about 70 tokens, and the context of the smallest model 256. */
const maxTokens = [80, 32]

/**
 * A small agent: it calls the model, runs the tool that the model calls, and sends the result back to the model, which answers. Only chat completions and a
 * loop: whatever client it is given records it.
 */
export async function attemptTask(task: WeatherTask, { client, model, seed, signal }: AttemptOptions): Promise<Attempt> {
  const messages: Message[] = [{ role: 'user', content: task.question }]
  let asked = false
  for (let turn = 0; turn < maxTurns; turn++) {
    const request = { model, messages: messages as never, tools: [weatherTool], max_tokens: maxTokens[turn]!, seed: seed * maxTurns + turn }
    const message = messageOf(await client.chatCompletions.create(request, { signal }))
    const [call] = message.tool_calls ?? []
    if (!call) return judgeAttempt(task, asked, message.content ?? '')
    const { content, city } = runTool(call)
    asked ||= city === task.city
    messages.push({ ...message, tool_calls: [call] }, { role: 'tool', tool_call_id: call.id || randomUUID(), content })
  }
  return judgeAttempt(task, asked, '')
}

function messageOf({ choices }: ChatCompletion) {
  const message = choices[0]?.message
  if (!message) throw new Error('the server answered a chat completion without a choice')
  return message
}

/** The verdict on an attempt: by the table, not by a model. */
export function judgeAttempt({ weather }: WeatherTask, asked: boolean, answer: string): Attempt {
  const correct = asked && answer.includes(weather)
  return { answer, asked, correct, reward: (Number(asked) + Number(correct)) / 2 }
}
