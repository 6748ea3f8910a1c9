import type { JsonObject } from '@heddle/core-api'
import { createParser } from 'eventsource-parser'
import type { Choice, Exchange } from '../histories/chat.ts'
import { type ChatRequest, kindOf, readChatRequest, toolsOf } from './chat-request.ts'
import { createChunkReader, type StreamedCompletion } from './chat-stream.ts'
import { isJsonObject, objectsOf, parseObject } from './json-values.ts'

/** What a chat completion was, and where it came from. */
export interface RecordedExchange extends Omit<Exchange, 'trainable'> {
  /** As the response names it, else as the request does. */
  model: string | undefined
  /** Training step of the weights, where the endpoint says it. */
  policyVersion: number | undefined
  /** False where the response was left before its end. */
  isComplete: boolean
  request: JsonObject
}

/** What receives the model calls of one trajectory. */
export interface Recorder {
  /** What the request needs besides what the program set. Called before it is sent. */
  prepare(request: ChatRequest): { body?: JsonObject; headers?: Readonly<Record<string, string>> }
  /** Called once for each chat completion. The returned function is called with the exchange, or with why there is none. */
  begin(request: ChatRequest): (outcome: RecordedExchange | { error: unknown }) => void
  /** Counts a model call that cannot be recorded. */
  skipped(reason: string): void
}

type Fetch = typeof fetch

/** A `fetch` that behaves as the given one and shows the chat completions to a recorder; without a recorder it adds nothing. */
export function createRecordingFetch(inner: Fetch, recorderNow: () => Recorder | undefined): Fetch {
  return async (input, init) => {
    const recorder = recorderNow()
    if (!recorder) return inner(input, init)
    const url = input instanceof Request ? input.url : String(input)
    const kind = kindOf((init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(), url)
    if (kind === 'none') return inner(input, init)
    const body = init?.body ?? (input instanceof Request ? await input.clone().text() : undefined)
    const request = kind === 'chat' ? readChatRequest(url, body) : undefined
    if (request) return recordChat({ inner, recorder, request, input, init })
    recorder.skipped(kind === 'chat' ? `a request to ${url} whose body is not JSON` : `a request to ${url}, which is not a chat completion`)
    return inner(input, init)
  }
}

interface Sending {
  inner: Fetch
  recorder: Recorder
  request: ChatRequest
  input: Parameters<Fetch>[0]
  init: RequestInit | undefined
}

async function recordChat({ inner, recorder, request, input, init }: Sending): Promise<Response> {
  const { body, headers } = recorder.prepare(request)
  const sent: ChatRequest = { url: request.url, body: { ...request.body, ...body } }
  const end = recorder.begin(sent)
  try {
    const response = await inner(input, withMore(input, init, body && sent.body, headers))
    if (!response.ok) {
      end({ error: new Error(`HTTP ${response.status}`) })
      return response
    }
    return isEventStream(response) ? recordStream(response, sent, end) : await recordWhole(response, sent, end)
  } catch (error) {
    end({ error })
    throw error
  }
}

function withMore(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  body: JsonObject | undefined,
  added: Readonly<Record<string, string>> | undefined,
): RequestInit | undefined {
  if (!body && !added) return init
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
  for (const [name, value] of Object.entries(added ?? {})) headers.set(name, value)
  // The length was that of the body before.
  if (body) headers.delete('content-length')
  return { ...init, headers, ...(body && { body: JSON.stringify(body) }) }
}

function isEventStream(response: Response): boolean {
  return response.body !== null && (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

type End = ReturnType<Recorder['begin']>

/** The copy is read before the program sees the response, so that what it does next is recorded after it. */
async function recordWhole(response: Response, request: ChatRequest, end: End): Promise<Response> {
  const body = parseObject(await response.clone().text())
  if (!body) end({ error: new Error('the response is not a JSON object') })
  else {
    const choices = objectsOf(body['choices']).filter((choice): choice is Choice => isJsonObject(choice['message']))
    const promptTokens = body['prompt_token_ids']
    const whole = choices.map((choice) => (promptTokens === undefined ? choice : { prompt_token_ids: promptTokens, ...choice }))
    const model = typeof body['model'] === 'string' ? body['model'] : undefined
    end(toExchange(response, request, { choices: whole, model, isComplete: whole.length > 0 }))
  }
  return response
}

/** Every chunk goes on unchanged, and is read on its way. */
function recordStream(response: Response, request: ChatRequest, end: End): Response {
  const chunks = createChunkReader()
  const parser = createParser({
    onEvent: ({ data }) => {
      const chunk = parseObject(data)
      if (chunk) chunks.add(chunk)
    },
  })
  const decoder = new TextDecoder()
  const finish = () => end(toExchange(response, request, chunks.completion()))
  const watched = watchStream(
    response.body as ReadableStream<Uint8Array>,
    (bytes) => parser.feed(decoder.decode(bytes, { stream: true })),
    finish,
  )
  const copy = new Response(watched, { status: response.status, statusText: response.statusText, headers: response.headers })
  Object.defineProperty(copy, 'url', { value: response.url })
  return copy
}

function watchStream(
  source: ReadableStream<Uint8Array>,
  onChunk: (bytes: Uint8Array) => void,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            onEnd()
            controller.close()
            return
          }
          onChunk(value)
          controller.enqueue(value)
        } catch (error) {
          onEnd()
          controller.error(error)
        }
      },
      async cancel(reason) {
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

function toExchange(response: Response, request: ChatRequest, completion: StreamedCompletion): RecordedExchange {
  const version = response.headers.get('x-model-step')
  return {
    messages: objectsOf(request.body['messages']),
    tools: toolsOf(request),
    choices: completion.choices,
    model: completion.model ?? (typeof request.body['model'] === 'string' ? request.body['model'] : undefined),
    policyVersion: version !== null && /^\d+$/.test(version) ? Number(version) : undefined,
    isComplete: completion.isComplete,
    request: request.body,
  }
}
