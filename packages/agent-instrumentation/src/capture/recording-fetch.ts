import { claimCall, isClaimed, isOffered } from './call-claim.ts'
import { parseObject } from './json-values.ts'
import { type Completion, type Conversation, isUnrecordable, type ModelApi, recordable, type Unrecordable } from './model-api.ts'
import { apiOf, type ModelRequest, readModelRequest } from './model-request.ts'
import { observeStream } from './observe-stream.ts'
import { policyVersionOf } from './policy-version.ts'
import { readResponse } from './read-response.ts'
import type { Outcome, RecordedExchange, Recorder } from './recorder.ts'
import { createStreamEvents } from './stream-events.ts'

type Fetch = typeof fetch

/**
 * A `fetch` that behaves like the given one and reports model calls to a recorder; without a recorder it adds nothing. If the given one records too,
 * the outer records and the inner sends.
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
  end: ReturnType<Recorder['begin']>
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

/** The body has arrived before the program sees the response, so that the program's next steps are recorded after it. */
async function recordWhole(response: Response, call: Call): Promise<Response> {
  const { api, body: request } = call.request
  const whole = response.body === null ? undefined : await readResponse(response)
  const finish = (): Outcome => {
    const body = whole && parseObject(whole.text)
    if (!body) return { error: new Error('the response is not a JSON object') }
    api.store(request, body, call.recorder.stored)
    return toOutcome(response, call, api.completionOf(body))
  }
  call.end(readWhenDue(api, finish))
  return whole?.response ?? response
}

/** Reads the outcome immediately if the next request may refer to it, else after the program has its response. */
function readWhenDue(api: ModelApi, read: () => Outcome): Outcome | (() => Outcome) {
  return api.isStored ? recordable(read) : () => recordable(read)
}

/** Every chunk reaches the program unchanged, and is kept on its way: mostly it is read once the stream has ended. */
function recordStream(response: Response, call: Call): Response {
  const { api, body: request } = call.request
  const reader = api.createStreamReader()
  const events = createStreamEvents(reader.add)
  let hasEnded = false
  const end: Call['end'] = (outcome) => {
    if (!hasEnded) call.end(outcome)
    hasEnded = true
  }
  const finish = (): Outcome => {
    events.readHeld()
    const body = reader.body()
    if (body) api.store(request, body, call.recorder.stored)
    return toOutcome(response, call, reader.completion())
  }
  const isObserved = observeStream(response.body as ReadableStream<Uint8Array>, {
    onChunk(chunk) {
      const problem = hasEnded ? undefined : recordable(() => events.hold(chunk))
      if (problem) end(problem)
    },
    onEnd() {
      if (!hasEnded) end(readWhenDue(api, finish))
    },
  })
  if (!isObserved) end({ unrecordable: 'a stream that is not a web stream; use the global fetch' })
  return response
}

function toOutcome(
  response: Response,
  { request, conversation }: Call,
  completion: Completion | Unrecordable,
): RecordedExchange | Unrecordable {
  if (isUnrecordable(completion)) return completion
  return {
    ...conversation,
    choices: completion.choices,
    model: completion.model ?? (typeof request.body['model'] === 'string' ? request.body['model'] : undefined),
    policyVersion: policyVersionOf({
      headers: Object.fromEntries(response.headers),
      models: [completion.model, request.body['model']],
    }),
    isComplete: completion.isComplete,
    responseIds: completion.responseIds,
    request: request.body,
  }
}
