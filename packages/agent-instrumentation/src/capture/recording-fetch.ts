import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'
import { claimCall, isClaimed, isOffered } from './call-claim.ts'
import { createEventReader } from './event-reader.ts'
import { parseObject } from './json-values.ts'
import { type Completion, type Conversation, isUnrecordable, type Unrecordable } from './model-api.ts'
import { apiOf, type ModelRequest, readModelRequest } from './model-request.ts'
import { readResponse } from './read-response.ts'
import type { Outcome, RecordedExchange, Recorder } from './recorder.ts'
import { watchStream } from './watch-stream.ts'

type Fetch = typeof fetch

/**
 * A `fetch` that behaves as the given one and shows model calls to a recorder; without a recorder it adds nothing. Where the given one records
 * too, the outer records and the inner sends.
 */
export function createRecordingFetch(inner: Fetch, recorderNow: () => Recorder | undefined): Fetch {
  return async (input, init) => {
    const recorder = recorderNow()
    if (!recorder || isClaimed(recorder)) return inner(input, init)
    const url = input instanceof Request ? input.url : String(input)
    const api = apiOf((init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(), url)
    if (api === undefined) return inner(input, init)
    const body = api === 'other' ? undefined : (init?.body ?? (input instanceof Request ? await input.clone().text() : undefined))
    const call = api === 'other' ? noForm(url) : readCall(readModelRequest(api, url, body), recorder)
    if (!isUnrecordable(call)) return claimCall(recorder, () => sendRecorded({ ...call, inner, recorder, input, init }))
    if (!isOffered(recorder)) recorder.skipped(call.unrecordable)
    return inner(input, init)
  }
}

const noForm = (url: string): Unrecordable => ({ unrecordable: `a request to ${url}, which has no form as a chat completion` })

interface ReadCall {
  request: ModelRequest
  conversation: Conversation
}

function readCall(request: ModelRequest | Unrecordable, recorder: Recorder): ReadCall | Unrecordable {
  if (isUnrecordable(request)) return request
  const conversation = request.api.conversationOf(request.body, recorder.stored)
  return isUnrecordable(conversation) ? conversation : { request, conversation }
}

interface Sending extends ReadCall {
  inner: Fetch
  recorder: Recorder
  input: Parameters<Fetch>[0]
  init: RequestInit | undefined
}

interface Call extends ReadCall {
  recorder: Recorder
  end: (outcome: Outcome) => void
}

async function sendRecorded({ inner, recorder, request, conversation, input, init }: Sending): Promise<Response> {
  const { body } = recorder.prepare(request)
  const sent: ModelRequest = { ...request, body: { ...request.body, ...body } }
  const call: Call = { request: sent, conversation, recorder, end: recorder.begin(sent.body['model']) }
  try {
    const response = await inner(input, body ? withSentBody(input, init, sent) : init)
    if (!response.ok) {
      call.end({ error: new Error(`HTTP ${response.status}`) })
      return response
    }
    return isEventStream(response) ? recordStream(response, call) : await recordWhole(response, call)
  } catch (error) {
    call.end({ error })
    throw error
  }
}

function withSentBody(input: Parameters<Fetch>[0], init: RequestInit | undefined, { body }: ModelRequest): RequestInit {
  const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
  // The length was that of the body before.
  headers.delete('content-length')
  return { ...init, headers, body: JSON.stringify(body) }
}

function isEventStream(response: Response): boolean {
  return response.body !== null && (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

/** The body is read before the program sees the response, so that what it does next is recorded after it. */
async function recordWhole(response: Response, call: Call): Promise<Response> {
  const { api, body: request } = call.request
  const whole = response.body === null ? undefined : await readResponse(response)
  const body = whole && parseObject(whole.text)
  if (!body) call.end({ error: new Error('the response is not a JSON object') })
  else {
    api.store(request, body, call.recorder.stored)
    call.end(toOutcome(response, call, api.completionOf(body)))
  }
  return response
}

function withStream(response: Response, body: ReadableStream<Uint8Array>): Response {
  const copy = new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
  Object.defineProperty(copy, 'url', { value: response.url })
  return copy
}

/** Every chunk continues unchanged, and is read on its way. */
function recordStream(response: Response, call: Call): Response {
  const { api, body: request } = call.request
  const events = api.createStreamReader()
  const read = createEventReader()
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = read(data)
      if (event) events.add(event)
    },
  })
  const text = new StringDecoder('utf8')
  let hasEnded = false
  const finish = () => {
    if (hasEnded) return
    hasEnded = true
    const body = events.body()
    if (body) api.store(request, body, call.recorder.stored)
    call.end(toOutcome(response, call, events.completion()))
  }
  const feed = (bytes: Uint8Array) => parser.feed(text.write(bytes))
  return withStream(response, watchStream(response.body as ReadableStream<Uint8Array>, feed, finish))
}

function toOutcome(
  response: Response,
  { request, conversation }: Call,
  completion: Completion | Unrecordable,
): RecordedExchange | Unrecordable {
  if (isUnrecordable(completion)) return completion
  const version = response.headers.get('x-model-step')
  return {
    ...conversation,
    choices: completion.choices,
    model: completion.model ?? (typeof request.body['model'] === 'string' ? request.body['model'] : undefined),
    policyVersion: version !== null && /^\d+$/.test(version) ? Number(version) : undefined,
    isComplete: completion.isComplete,
    responseIds: completion.responseIds,
    request: request.body,
  }
}
