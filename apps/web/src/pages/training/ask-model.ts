import { streamChat } from '../playground/runs/stream-chat.ts'

export interface ChatTurn {
  role: 'user' | 'assistant'
  content: string
}

export interface Question {
  model: string
  messages: readonly ChatTurn[]
  temperature: number
  maxTokens: number
}

/** The text of a completion while it is sampled. @throws Error with the message of the server */
export async function* askModel({ model, messages, temperature, maxTokens }: Question, signal: AbortSignal): AsyncGenerator<string> {
  for await (const { choices } of streamChat({ model, messages, temperature, max_tokens: maxTokens }, signal)) {
    const text = choices[0]?.delta.content
    if (text) yield text
  }
}
