import { addChunk } from '../../features/playground/add-chunk.ts'
import { type Answer, type AnswerToolCall, emptyAnswer } from '../../features/playground/answer.ts'
import { streamChat } from '../../features/playground/stream-chat.ts'

export interface ChatTurn {
  role: 'user' | 'assistant'
  content: string
}

export interface Question {
  model: string
  messages: readonly ChatTurn[]
  temperature: number
  maxTokens: number
  /** Tools that the model may call; nothing runs them. */
  tools: readonly unknown[]
}

/** A model's answer so far. */
export interface PartialAnswer {
  text: string
  toolCalls: readonly AnswerToolCall[]
  /** Both as one text, which a further message of the conversation follows. */
  content: string
}

/** A completion while it is sampled, with the tools that it calls. @throws Error with the message of the server */
export async function* askModel(
  { model, messages, temperature, maxTokens, tools }: Question,
  signal: AbortSignal,
): AsyncGenerator<PartialAnswer> {
  let answer = emptyAnswer
  const body = { model, messages, temperature, max_tokens: maxTokens, ...(tools.length > 0 && { tools }) }
  for await (const chunk of streamChat(body, signal)) {
    answer = addChunk(answer, chunk)
    yield { text: answer.text, toolCalls: answer.toolCalls, content: toText(answer) }
  }
}

function toText({ text, toolCalls }: Answer): string {
  return [text, ...toolCalls.map(({ name, arguments: given }) => `calls ${name}(${given})`)].filter((part) => part !== '').join('\n')
}
