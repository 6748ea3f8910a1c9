import type { ChatCompletionChunk } from '@heddle/core-api/types'
import { readEventData } from '@heddle/core-api/internal'
import { UsageError } from '../terminal/usage-error.ts'

export interface ChatTurn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** Fields of the request other than `messages`, by their wire names. */
export interface ChatSettings {
  model: string
  temperature?: number
  max_tokens?: number
  seed?: number
}

export interface ChatServer {
  baseUrl: string
  apiKey: string
}

/** The text of a completion, as it is sampled. @throws UsageError with the message of the server when it refuses or fails */
export async function* streamCompletion(
  { baseUrl, apiKey }: ChatServer,
  { messages, settings }: { messages: readonly ChatTurn[]; settings: ChatSettings },
  signal: AbortSignal,
): AsyncGenerator<string> {
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...settings, messages, stream: true }),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new UsageError(`no server answers at ${baseUrl}; start one with \`heddle serve\``, { cause: error })
  })
  if (!response.ok) throw new UsageError(await readRefusal(response))
  for await (const data of readEventData(response.body!)) {
    const chunk = JSON.parse(data) as ChatCompletionChunk & { error?: { message: string } }
    if (chunk.error) throw new UsageError(chunk.error.message)
    const text = chunk.choices[0]?.delta.content
    if (text) yield text
  }
}

async function readRefusal(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { error, detail } = JSON.parse(text) as { error?: { message?: string }; detail?: unknown }
    return error?.message ?? String(detail)
  } catch {
    return `the server answered ${response.status}`
  }
}
