import { setTimeout as delay } from 'node:timers/promises'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { BenchServer } from '../server/start-server.ts'

/** Milliseconds of each of several chats. */
export interface ChatTimes {
  /** From sending the request to the first part of the answer. */
  firstTokenMs: number[]
  /** To the end of the answer. */
  wholeMs: number[]
}

export interface ChatPlan {
  model: string
  message: string
  maxTokens: number
  /** Chats that stream at the same time. */
  together: number
  /** Chats in all. */
  count: number
  /** Between the end of a chat and the next of the same client. */
  pauseMs: number
}

/** Streams chats by several clients over HTTP, each of which sends one after the other. @throws Error for an answer that is not one */
export async function measureChats(server: BenchServer, plan: ChatPlan): Promise<ChatTimes> {
  const times: ChatTimes = { firstTokenMs: [], wholeMs: [] }
  let left = plan.count
  const client = async () => {
    while (left-- > 0) {
      const { firstTokenMs, wholeMs } = await streamChat(server, plan)
      times.firstTokenMs.push(firstTokenMs)
      times.wholeMs.push(wholeMs)
      await delay(plan.pauseMs)
    }
  }
  await Promise.all(Array.from({ length: plan.together }, client))
  return times
}

/** Tokens of the message in the chat template. Loads the weights. */
export async function countPromptTokens({ url: baseUrl, apiKey }: BenchServer, { model, message }: ChatPlan): Promise<number> {
  const client = createClient({ baseUrl, apiKey, contract: training, timeoutMs: 300_000 })
  const { usage } = await client.chatCompletions.create({ model, messages: [{ role: 'user', content: message }], max_tokens: 1 })
  return usage.prompt_tokens
}

async function streamChat(
  { url, apiKey }: BenchServer,
  { model, message, maxTokens }: ChatPlan,
): Promise<{ firstTokenMs: number; wholeMs: number }> {
  const since = performance.now()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: message }], max_tokens: maxTokens, stream: true, logprobs: true }),
  })
  if (!response.ok || !response.body) throw new Error(`a chat was answered with ${response.status}: ${await response.text()}`)
  let firstTokenMs: number | undefined
  let text = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part
    // The first chunk has the role alone. A token has its log-probability, even where its bytes are no text yet.
    if (firstTokenMs === undefined && text.includes('"logprob"')) firstTokenMs = performance.now() - since
  }
  if (firstTokenMs === undefined || !text.includes('[DONE]')) throw new Error(`a chat ended without a token: ${text.slice(0, 500)}`)
  return { firstTokenMs, wholeMs: performance.now() - since }
}
