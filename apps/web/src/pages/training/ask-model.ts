import type { ChatCompletionChunk } from '@heddle/core-api'
import { readEventData } from '@heddle/core-api/internal'

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
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, temperature, max_tokens: maxTokens, stream: true }),
    signal,
  })
  if (!response.ok || !response.body) throw new Error(await reasonOf(response))
  for await (const data of readEventData(response.body)) {
    const chunk = JSON.parse(data) as ChatCompletionChunk & { error?: { message: string } }
    if (chunk.error) throw new Error(chunk.error.message)
    const text = chunk.choices[0]?.delta.content
    if (text) yield text
  }
}

async function reasonOf(response: Response): Promise<string> {
  const text = (await response.text()).slice(0, 2_000)
  try {
    const { error, detail } = JSON.parse(text) as { error?: { message?: string }; detail?: unknown }
    return error?.message ?? String(detail)
  } catch {
    return `the server answered ${response.status}`
  }
}
