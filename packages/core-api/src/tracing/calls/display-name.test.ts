import { expect, test } from 'vitest'
import { displayNameOf, type NamedCall } from './display-name.ts'

const span = (name: unknown) => ({ otel_span: { name } })
const op_name = 'weave:///acme/chat/op/chat_gpt-4:abc'

test.each<[string, NamedCall, string]>([
  ['the display name wins', { display_name: 'Ask', attributes: span('Chat GPT-4'), op_name }, 'Ask'],
  ['then the name that the span was sent with', { display_name: null, attributes: span('Chat GPT-4'), op_name }, 'Chat GPT-4'],
  ['an empty display name is none', { display_name: '', attributes: span('Chat: <GPT>'), op_name }, 'Chat: <GPT>'],
  ['an empty span name is none', { attributes: span(''), op_name }, 'chat_gpt-4'],
  ['a span name that is not a text is ignored', { attributes: span({ a: 1 }), op_name }, 'chat_gpt-4'],
  ['without attributes it is the name in the op ref', { op_name }, 'chat_gpt-4'],
  ['attributes that are not an object are ignored', { attributes: 'otel_span', op_name }, 'chat_gpt-4'],
  ['the name in a ref is decoded', { op_name: 'weave:///acme/chat/op/call%20model:abc' }, 'call model'],
  ['one that cannot be decoded stays', { op_name: 'weave:///acme/chat/op/100%:abc' }, '100%'],
  ['a plain op name stays, whatever is in it', { op_name: 'jobs/op/Nightly: all' }, 'jobs/op/Nightly: all'],
])('%s', (_, call, expected) => {
  expect(displayNameOf(call)).toBe(expected)
})
