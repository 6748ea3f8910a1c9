import { stringifyJson } from '@heddle/json/exact'
import type { ChatCompletionChunk } from '@heddle/core-api/types'
import { readEventData } from '@heddle/core-api/internal'
import { addressOf } from '../../lib/server/base-path.ts'

/** The parts of a completion while it is sampled. @throws Error with the message of the server */
export async function* streamChat(body: Record<string, unknown>, signal: AbortSignal): AsyncGenerator<ChatCompletionChunk> {
  const response = await fetch(addressOf('/v1/chat/completions'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: stringifyJson({ ...body, stream: true }),
    signal,
  })
  if (!response.ok || !response.body) throw new Error(await reasonOf(response))
  for await (const data of readEventData(response.body)) {
    const chunk = JSON.parse(data) as ChatCompletionChunk & { error?: { message: string } }
    if (chunk.error) throw new Error(chunk.error.message)
    yield chunk
  }
}

async function reasonOf(response: Response): Promise<string> {
  const text = (await response.text()).slice(0, 2_000)
  try {
    const { error, detail } = JSON.parse(text) as { error?: { message?: string }; detail?: unknown }
    return error?.message ?? (typeof detail === 'string' ? detail : JSON.stringify(detail))
  } catch {
    return `the server answered ${response.status}`
  }
}
