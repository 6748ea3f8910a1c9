/** A model call of an agent, and an endpoint in this process that responds to it at once. */
export interface ModelCall {
  name: string
  /** Body of the request number `turn`. */
  toBody(turn: number): string
  endpoint: typeof fetch
  isStream: boolean
}

const headers = { 'content-type': 'application/json' }
const system = { role: 'system', content: 'You solve tasks by calling tools. '.repeat(30) }

/** Conversations grow by two messages a turn, and begin again after this many. */
const turnsOfConversation = 20

const entryOf = (token: string) => ({ token, logprob: -0.5, bytes: [...Buffer.from(token)], top_logprobs: [] })
const tokens = Array.from({ length: 60 }, (_, place) => ` token${place}`)
const text = tokens.join('')
const choice = {
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content: text },
  logprobs: { content: tokens.map(entryOf) },
}
const whole = JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice] })
const chunks = tokens.map((token) => ({
  index: 0,
  delta: { content: token },
  logprobs: { content: [entryOf(token)] },
  finish_reason: null,
}))
const events = new TextEncoder().encode(
  [...chunks, { index: 0, delta: {}, finish_reason: 'stop' }]
    .map((one) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [one] })}\n\n`)
    .join('') + 'data: [DONE]\n\n',
)

const respondWhole: typeof fetch = async () => new Response(whole, { headers })
const eventList = new TextDecoder()
  .decode(events)
  .split(/(?<=\n\n)/)
  .map((event) => new TextEncoder().encode(event))

/** A chunk for each event, as they come from a model that samples. */
const respondInPieces: typeof fetch = async () => {
  let sent = 0
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller: ReadableByteStreamController) {
      const event = eventList[sent++]
      if (event) controller.enqueue(event.slice())
      else controller.close()
    },
  } as UnderlyingByteSource)
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
const respondStream: typeof fetch = async () => new Response(events, { headers: { 'content-type': 'text/event-stream' } })

/** Begins with a question, or continues with everything that was said, which ends with the response of the endpoint. */
function conversation(turn: number): object[] {
  const said = Array.from({ length: turn % turnsOfConversation }, (_, place) => [
    { role: 'user', content: `question ${place} of conversation ${Math.floor(turn / turnsOfConversation)}` },
    choice.message,
  ])
  const last = { role: 'user', content: `question ${turn % turnsOfConversation} of conversation ${Math.floor(turn / turnsOfConversation)}` }
  return [system, ...said.flat(), last]
}

export const modelCalls: readonly ModelCall[] = [
  {
    name: 'one question',
    toBody: (turn) => JSON.stringify({ model: 'm', logprobs: true, messages: [system, { role: 'user', content: `question ${turn}` }] }),
    endpoint: respondWhole,
    isStream: false,
  },
  {
    name: 'a conversation of 1 to 20 turns',
    toBody: (turn) => JSON.stringify({ model: 'm', logprobs: true, messages: conversation(turn) }),
    endpoint: respondWhole,
    isStream: false,
  },
  {
    name: 'a conversation, streamed',
    toBody: (turn) => JSON.stringify({ model: 'm', logprobs: true, stream: true, messages: conversation(turn) }),
    endpoint: respondStream,
    isStream: true,
  },
  {
    name: 'a conversation, streamed in 62 pieces',
    toBody: (turn) => JSON.stringify({ model: 'm', logprobs: true, stream: true, messages: conversation(turn) }),
    endpoint: respondInPieces,
    isStream: true,
  },
]
