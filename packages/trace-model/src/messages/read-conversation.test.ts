import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonTextOf } from './json-value.ts'
import { type RecordedCall, readConversation } from './read-conversation.ts'
import { toChatMessages } from './to-chat-messages.ts'

const question = 'Where is Ulm?'
const answer = 'In Germany.'
const text = (value: string) => ({ type: 'text', text: value })
const user = { role: 'user', parts: [text(question)] }
const assistant = { role: 'assistant', parts: [text(answer)] }
const said = { role: 'user', content: question }
const replied = { role: 'assistant', content: answer }

describe('a question and its answer are read from', () => {
  test.each<[string, RecordedCall]>([
    ['a chat completion', { inputs: { model: 'm', messages: [said] }, output: { choices: [{ index: 0, message: replied }] } }],
    [
      'a message of blocks',
      { inputs: { messages: [said] }, output: { type: 'message', role: 'assistant', content: [{ type: 'text', text: answer }] } },
    ],
    [
      'a response with items',
      {
        inputs: { input: [{ role: 'user', content: [{ type: 'input_text', text: question }] }] },
        output: { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] }] },
      },
    ],
    [
      'contents with parts',
      {
        inputs: { contents: [{ role: 'user', parts: [{ text: question }] }] },
        output: { candidates: [{ content: { role: 'model', parts: [{ text: answer }] } }] },
      },
    ],
    [
      'a converse request',
      {
        inputs: { messages: [{ role: 'user', content: [{ text: question }] }] },
        output: { output: { message: { role: 'assistant', content: [{ text: answer }] } } },
      },
    ],
    ['one message as the answer', { inputs: { messages: [said] }, output: { message: replied } }],
    ['lists of messages', { inputs: [said], output: [replied] }],
    [
      'the semantic conventions',
      {
        inputs: { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: question }] }] },
        output: { 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' }] },
      },
    ],
    [
      'indexed prompts and completions',
      { inputs: { 'gen_ai.prompt': [said] }, output: { 'gen_ai.completion': [{ finish_reason: 'stop', ...replied }] } },
    ],
    [
      'prompts and completions as JSON text',
      { inputs: { 'gen_ai.prompt': JSON.stringify([said]) }, output: { 'gen_ai.completion': JSON.stringify([replied]) } },
    ],
    [
      'a value with messages',
      { inputs: { 'input.value': { messages: [said] } }, output: { 'output.value': { choices: [{ message: replied }] } } },
    ],
    [
      'the first argument of a function that names a model, of a call that does not say what it is',
      {
        inputs: { self: { client: {} }, arg0: { model: 'm', input: question } },
        output: { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answer }] }] },
      },
    ],
    [
      'attributes of the span where the values hold none',
      {
        inputs: { 'input.value': { messages: ['Message(user)'] } },
        output: { 'output.value': 'Message(assistant)' },
        attributes: {
          kind: 'LLM',
          otel_span: {
            attributes: {
              llm: {
                input_messages: { 0: { message: said } },
                output_messages: {
                  0: { message: { role: 'assistant', contents: { 0: { message_content: { type: 'text', text: answer } } } } },
                },
              },
            },
          },
        },
      },
    ],
    [
      'an SDK that answers with a text',
      {
        inputs: { 'ai.prompt': { messages: [{ role: 'user', content: [text(question)] }] } },
        output: { 'ai.response': { text: answer, finishReason: 'stop' } },
      },
    ],
    [
      'a list as input and a text as output',
      { inputs: { 'langfuse.observation.input': [said] }, output: { 'langfuse.observation.output': answer } },
    ],
    [
      'messages of a library with classes',
      {
        inputs: {
          messages: [
            [
              {
                lc: 1,
                type: 'constructor',
                id: ['langchain_core', 'messages', 'HumanMessage'],
                kwargs: { content: question, type: 'human' },
              },
            ],
          ],
        },
        output: {
          generations: [
            [
              {
                text: answer,
                message: { lc: 1, id: ['langchain_core', 'messages', 'AIMessage'], kwargs: { content: answer, type: 'ai' } },
              },
            ],
          ],
        },
      },
    ],
    [
      'messages with types in place of roles',
      { inputs: { messages: [{ type: 'human', content: question }] }, output: { messages: [{ type: 'ai', content: answer }] } },
    ],
    ['roles of an enumeration', { inputs: { messages: [{ role: 'MessageRole.USER', content: [text(question)] }] }, output: replied }],
    [
      'blocks',
      {
        inputs: { messages: [{ role: 'user', blocks: [{ block_type: 'text', text: question }] }] },
        output: { message: { role: 'assistant', blocks: [{ block_type: 'text', text: answer }] } },
      },
    ],
    [
      'events of a span',
      {
        inputs: { 'events.gen_ai.user.message': [{ role: 'gen_ai.user.message', content: [{ text: question }] }] },
        output: { 'events.gen_ai.choice': [{ message: [{ text: answer }], finish_reason: 'end_turn' }] },
      },
    ],
    [
      'events of users alone, whose name says who speaks',
      {
        inputs: { 'events.gen_ai.user.message': [{ content: [{ text: question }] }] },
        output: { 'events.gen_ai.choice': [{ message: answer, finish_reason: 'end_turn' }] },
        attributes: { kind: 'llm' },
      },
    ],
    [
      'an answer whose role is not known',
      { inputs: { messages: [said] }, output: { 'gen_ai.output.messages': [{ role: 'unknown', parts: [text(answer)] }] } },
    ],
    [
      'flows of a library',
      {
        inputs: { 'genkit:input': { messages: [{ role: 'user', content: [{ text: question }] }] } },
        output: { 'genkit:output': { message: { role: 'model', content: [{ text: answer }] } } },
      },
    ],
    ['an agent that is told a text', { inputs: { input: question }, output: answer, attributes: { kind: 'agent' } }],
    [
      'a prompt of a text completion',
      { inputs: { prompt: question }, output: { choices: [{ text: answer }] }, attributes: { kind: 'llm' } },
    ],
  ])('%s', (_name, call) => {
    expect(readConversation(call)).toEqual({ input: [user], output: [assistant] })
  })
})

describe('what instructs a model comes first when it is', () => {
  const expected = [{ role: 'system', parts: [text('Be brief.')] }, user]
  test.each<[string, RecordedCall]>([
    ['a message', { inputs: { messages: [{ role: 'system', content: 'Be brief.' }, said] } }],
    ["a developer's message", { inputs: { messages: [{ role: 'developer', content: 'Be brief.' }, said] } }],
    ['a text of the request', { inputs: { system: 'Be brief.', messages: [said] } }],
    ['blocks of the request', { inputs: { system: [text('Be brief.')], messages: [said] } }],
    ['instructions', { inputs: { instructions: 'Be brief.', input: [said] } }],
    [
      'in the configuration',
      {
        inputs: {
          config: { system_instruction: { parts: [{ text: 'Be brief.' }] } },
          contents: [{ role: 'user', parts: [{ text: question }] }],
        },
      },
    ],
    [
      'an attribute beside the messages',
      {
        inputs: { 'gen_ai.input.messages': [said] },
        attributes: { otel_span: { attributes: { gen_ai: { system_instructions: [{ type: 'text', content: 'Be brief.' }] } } } },
      },
    ],
    [
      'an attribute of messages where the request leaves it out',
      {
        inputs: { 'input.value': [said] },
        attributes: {
          otel_span: {
            attributes: { llm: { input_messages: [{ message: { role: 'system', content: 'Be brief.' } }, { message: said }] } },
          },
        },
      },
    ],
  ])('%s', (_name, call) => {
    expect(readConversation(call).input).toEqual(expected)
  })

  test('a text that names a provider instructs nobody', () => {
    expect(readConversation({ inputs: { messages: [said] }, attributes: { system: 'openai' } }).input).toEqual([user])
  })
})

describe('a tool, its call and its answer are read from', () => {
  const call = { type: 'tool_call', id: 'c1', name: 'find', arguments: { city: 'Ulm' } }
  const result = { role: 'tool', parts: [{ type: 'tool_result', id: 'c1', name: 'find', result: 'sunny' }] }
  test.each<[string, unknown[], unknown?]>([
    [
      'chat completions',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"city":"Ulm"}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      ],
      '{"city":"Ulm"}',
    ],
    [
      'blocks of a message',
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'find', input: { city: 'Ulm' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'sunny' }] }] },
      ],
    ],
    [
      'items of a response',
      [
        { type: 'function_call', call_id: 'c1', name: 'find', arguments: '{"city":"Ulm"}' },
        { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
      ],
      '{"city":"Ulm"}',
    ],
    [
      'the semantic conventions',
      [
        { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'find', arguments: { city: 'Ulm' } }] },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { result: 'sunny' } }] },
      ],
    ],
    [
      'a converse request',
      [
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'find', input: { city: 'Ulm' } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'sunny' }] } }] },
      ],
    ],
    [
      'an SDK with parts for both',
      [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: { city: 'Ulm' } }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'find', output: { type: 'text', value: 'sunny' } }] },
      ],
    ],
    [
      'messages of a page',
      [
        {
          role: 'assistant',
          parts: [{ type: 'tool-find', toolCallId: 'c1', state: 'output-available', input: { city: 'Ulm' }, output: 'sunny' }],
        },
      ],
    ],
    [
      'requests and responses of tools',
      [
        { role: 'model', content: [{ toolRequest: { name: 'find', ref: 'c1', input: { city: 'Ulm' } } }] },
        { role: 'tool', content: [{ toolResponse: { name: 'find', ref: 'c1', output: 'sunny' } }] },
      ],
    ],
    [
      'messages of a library with classes',
      [
        { type: 'ai', content: '', tool_calls: [{ id: 'c1', name: 'find', args: { city: 'Ulm' }, type: 'tool_call' }] },
        { type: 'tool', content: 'sunny', tool_call_id: 'c1', name: 'find' },
      ],
    ],
    [
      'items of a response with ids of their own',
      [
        { type: 'function_call', id: 'item-1', call_id: 'c1', name: 'find', arguments: { city: 'Ulm' } },
        { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
      ],
    ],
    [
      'items of an SDK for agents',
      [
        { type: 'function_call', id: 'item-1', callId: 'c1', name: 'find', arguments: { city: 'Ulm' } },
        { type: 'function_call_result', callId: 'c1', name: 'find', output: { type: 'text', text: 'sunny' } },
      ],
    ],
    [
      'events whose messages are parts',
      [
        { message: [{ toolUse: { toolUseId: 'c1', name: 'find', input: { city: 'Ulm' } } }], finish_reason: 'tool_use' },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'sunny' }] } }] },
      ],
    ],
    [
      'messages below a member of their own',
      [
        {
          message: { role: 'assistant', tool_calls: [{ tool_call: { id: 'c1', function: { name: 'find', arguments: { city: 'Ulm' } } } }] },
        },
        { message: { role: 'tool', tool_call_id: 'c1', content: 'sunny' } },
      ],
    ],
  ])('%s', (_name, messages, args = { city: 'Ulm' }) => {
    const { input } = readConversation({ inputs: { messages } })
    expect(input).toEqual([{ role: 'assistant', parts: [{ ...call, arguments: args }] }, result])
  })

  test('a completion that is a call alone, and roles for calls and their results', () => {
    const output = { 'gen_ai.completion': [{ function_call: { name: 'find', arguments: { city: 'Ulm' } } }] }
    const { id: _, ...unnumbered } = call
    expect(readConversation({ output }).output).toEqual([{ role: 'assistant', parts: [{ ...unnumbered, arguments: { city: 'Ulm' } }] }])
    const messages = [
      { role: 'tool-call', contents: [{ message_content: { type: 'text', text: 'find Ulm' } }] },
      { role: 'tool-response', contents: [{ message_content: { type: 'text', text: 'sunny' } }] },
    ]
    expect(readConversation({ inputs: { messages } }).input).toEqual([
      { role: 'assistant', parts: [text('find Ulm')] },
      { role: 'tool', parts: [{ type: 'tool_result', result: 'sunny' }] },
    ])
  })

  test('contents with parts, which have no ids', () => {
    const contents = [
      { role: 'model', parts: [{ functionCall: { name: 'find', args: { city: 'Ulm' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'find', response: { result: 'sunny' } } }] },
    ]
    expect(readConversation({ inputs: { contents } }).input).toEqual([
      { role: 'assistant', parts: [{ type: 'tool_call', name: 'find', arguments: { city: 'Ulm' } }] },
      { role: 'tool', parts: [{ type: 'tool_result', name: 'find', result: 'sunny' }] },
    ])
  })
})

describe('what a model thought is apart from what it said, as', () => {
  test.each<[string, unknown]>([
    ['a member of the message', { role: 'assistant', content: answer, reasoning_content: 'Hm.' }],
    ['a block', { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }, text(answer)] }],
    [
      'a part of the conventions',
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'text', content: answer },
        ],
      },
    ],
    ['a thought of the parts', { role: 'model', parts: [{ text: 'Hm.', thought: true }, { text: answer }] }],
    [
      'content of a converse answer',
      { role: 'assistant', content: [{ reasoningContent: { reasoningText: { text: 'Hm.', signature: 's' } } }, { text: answer }] },
    ],
    [
      'that content as JSON text',
      {
        role: 'assistant',
        parts: [
          { type: 'text', content: '{"reasoningContent": {"reasoningText": {"text": "Hm."}}}' },
          { type: 'text', content: answer },
        ],
      },
    ],
  ])('%s', (_name, message) => {
    expect(readConversation({ inputs: [said], output: { message } }).output).toEqual([
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }, text(answer)] },
    ])
  })

  test('an item before the answer', () => {
    const output = {
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'message', role: 'assistant', content: [] },
      ],
    }
    expect(readConversation({ inputs: [said], output }).output).toEqual([
      { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }] },
    ])
  })
})

test.each(['inputs', 'request_data', 'all_messages_events', 'user_prompt'])('messages in an attribute named %s are read', (name) => {
  const inputs = { [name]: [{ role: 'user', content: 'Why?' }] }
  expect(readConversation({ inputs }).input).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'Why?' }] }])
})

test.each(['response_data', 'final_result'])('an answer in an attribute named %s is read', (name) => {
  const output = { [name]: { message: { role: 'assistant', content: 'So.' } } }
  expect(readConversation({ output }).output).toEqual([{ role: 'assistant', parts: [{ type: 'text', text: 'So.' }] }])
})

test.each(['question', 'text', 'query', 'input'])('the one text that an agent takes is from its user, as the parameter %s', (name) => {
  const attributes = { openinference: { span: { kind: 'AGENT' } } }
  expect(readConversation({ attributes, inputs: { [name]: question }, output: answer })).toEqual({ input: [user], output: [assistant] })
})

test('messages of its span take precedence over the one text that an agent takes, and instructions are from nobody', () => {
  const attributes = { kind: 'agent', otel_span: { attributes: { 'gen_ai.input.messages': [{ role: 'user', content: question }] } } }
  expect(readConversation({ attributes, inputs: { topic: 'towns' } }).input).toEqual([user])
  expect(readConversation({ attributes: { kind: 'agent' }, inputs: { system: 'Be brief.' } }).input).toEqual([])
})

test('the one text that any other function takes is no message', () => {
  expect(readConversation({ attributes: { kind: 'guardrail' }, inputs: { text: question }, output: true })).toEqual({
    input: [],
    output: [],
  })
})

test('a refusal is a part of its own', () => {
  const { output } = readConversation({
    inputs: [said],
    output: { choices: [{ message: { role: 'assistant', content: null, refusal: 'No.' } }] },
  })
  expect(output).toEqual([{ role: 'assistant', parts: [{ type: 'refusal', text: 'No.' }] }])
})

describe('media keep their type and where they are:', () => {
  const png = { type: 'media', modality: 'image', mimeType: 'image/png' }
  test.each<[string, unknown, unknown]>([
    [
      'an address',
      { type: 'image_url', image_url: { url: 'https://a/b.png' } },
      { type: 'media', modality: 'image', url: 'https://a/b.png' },
    ],
    ['a data address', { type: 'input_image', image_url: 'data:image/png;base64,aGk=' }, { ...png, url: 'data:image/png;base64,aGk=' }],
    ['a source', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }, { ...png, data: 'aGk=' }],
    ['a blob', { type: 'blob', mime_type: 'image/png', modality: 'image', content: 'aGk=' }, { ...png, data: 'aGk=' }],
    ['inline data', { inlineData: { mimeType: 'image/png', data: 'aGk=' } }, { ...png, data: 'aGk=' }],
    ['a sound', { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } }, { type: 'media', modality: 'audio', data: 'aGk=' }],
    [
      'a file by its id',
      { type: 'file', file: { file_id: 'f1', filename: 'a.pdf' } },
      { type: 'media', modality: 'file', fileId: 'f1', name: 'a.pdf' },
    ],
    [
      'a file of a part',
      { type: 'file', mediaType: 'application/pdf', data: 'aGk=' },
      { type: 'media', modality: 'file', mimeType: 'application/pdf', data: 'aGk=' },
    ],
    ['media of a flow', { media: { url: 'https://a/b.png', contentType: 'image/png' } }, { ...png, url: 'https://a/b.png' }],
  ])('%s', (_name, part, expected) => {
    expect(readConversation({ inputs: { messages: [{ role: 'user', content: [part] }] } }).input).toEqual([
      { role: 'user', parts: [expected] },
    ])
  })
})

test('a part in no known form is kept as it was recorded', () => {
  const part = { type: 'hologram', beam: 3 }
  expect(readConversation({ inputs: { messages: [{ role: 'user', content: [part] }] } }).input).toEqual([
    { role: 'user', parts: [{ type: 'other', value: part }] },
  ])
})

describe('no conversation is read from', () => {
  test.each<[string, RecordedCall]>([
    ['arguments of a function', { inputs: { input: 'x', prompt: 'y' }, output: 'z' }],
    ['texts that only begin like JSON', { inputs: '[not json', output: '{' }],
    ['a tool', { inputs: { city: 'Ulm' }, output: 'sunny', attributes: { kind: 'tool' } }],
    [
      'a stream that nobody read',
      { inputs: {}, output: { 'output.value': '<groq.Stream object at 0x7f42>' }, attributes: { kind: 'LLM' } },
    ],
    [
      'messages that lost their content',
      {
        inputs: { 'gen_ai.prompt': [{ role: 'user' }] },
        output: { 'gen_ai.completion': [{ role: 'assistant', finish_reason: 'tool_calls' }] },
      },
    ],
  ])('%s', (_name, call) => {
    expect(readConversation(call)).toEqual({ input: [], output: [] })
  })
})

test('any values are read without an error, into parts that are there', () => {
  const names = [
    'role',
    'content',
    'parts',
    'messages',
    'message',
    'type',
    'tool_calls',
    'function',
    'name',
    'text',
    'choices',
    'output',
    '0',
    'image',
    'source',
  ]
  const word = fc.constantFrom('user', 'assistant', 'tool', 'text', 'tool_use', 'image', 'reasoning', 'x', '')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, word, fc.integer(), fc.constant(null), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
  }))
  fc.assert(
    fc.property(value, value, value, (inputs, output, attributes) => {
      const { input, output: answered } = readConversation({ inputs, output, attributes })
      for (const { role, parts } of [...input, ...answered]) expect([typeof role, parts.length > 0]).toEqual(['string', true])
    }),
    { numRuns: 2_000 },
  )
})

describe('values nested 100,000 times are read no deeper than conventions go:', () => {
  test.each<[string, (inner: unknown) => unknown]>([
    ['messages', (inner) => ({ messages: [inner] })],
    ['lists', (inner) => [inner]],
    ['content', (inner) => ({ role: 'user', content: inner })],
    ['texts', (inner) => ({ type: 'text', text: inner })],
    ['results of tools', (inner) => ({ result: inner })],
    ['message', (inner) => ({ message: inner })],
  ])('%s', (_name, wrap) => {
    let value: unknown = said
    for (let depth = 0; depth < 100_000; depth += 1) value = wrap(value)
    for (const content of [value, [value], { role: 'user', content: [value] }, { role: 'tool', content: value }]) {
      expect(JSON.stringify(readConversation({ inputs: { messages: [content] } }).input.map(({ role }) => role)).length).toBeLessThan(100)
    }
  })
})

test('numbers in conversations that are JSON text stay as they are written, also in arguments of tools', () => {
  const text = '[{"role":"assistant","parts":[{"type":"tool_call","name":"find","arguments":{"user":9007199254740993,"share":1.0}}]}]'
  const { input } = readConversation({ inputs: { 'gen_ai.input.messages': text }, output: null, attributes: {} })
  expect(jsonTextOf(input)).toContain('{"user":9007199254740993,"share":1.0}')
  expect(toChatMessages(input)[0]?.tool_calls?.[0]?.function.arguments).toBe('{"user":9007199254740993,"share":1.0}')
})
