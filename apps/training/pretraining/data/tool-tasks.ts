import type { Exercise, Task, ToolCall, ToolSignature } from './exercise.ts'
import { phrase } from './phrase.ts'
import type { Random } from './random.ts'
import { smallTalk } from './small-talk.ts'
import { cities, names, things, words } from './vocabulary.ts'

interface Tool {
  /** Names that it may have: which one counts is read from the list of tools. */
  names: readonly string[]
  arguments: ToolSignature['arguments']
  values: (random: Random) => ToolCall['arguments']
  asked: readonly string[]
  result: (random: Random, values: ToolCall['arguments']) => string
  /** States the result. */
  answers: string
}

const twoNumbers = (random: Random) => ({ a: random.int(0, 99), b: random.int(0, 99) })
const oneCity = (random: Random) => ({ city: random.pick(cities) })
const number = (value: string | number | undefined) => Number(value)

const tools: readonly Tool[] = [
  {
    names: ['add', 'sum', 'plus'],
    arguments: { a: 'number', b: 'number' },
    values: twoNumbers,
    asked: [
      'Add {a} and {b} with the tool.',
      'Use a tool: {a} + {b}',
      'What is {a} plus {b}? Use the tool.',
      'Call the tool to add {a} and {b}.',
    ],
    result: (_, { a, b }) => String(number(a) + number(b)),
    answers: 'It is {result}.',
  },
  {
    names: ['multiply', 'times', 'product'],
    arguments: { a: 'number', b: 'number' },
    values: twoNumbers,
    asked: ['Multiply {a} by {b} with the tool.', 'Use a tool: {a} * {b}', 'What is {a} times {b}? Use the tool.'],
    result: (_, { a, b }) => String(number(a) * number(b)),
    answers: 'It is {result}.',
  },
  {
    names: ['get_weather', 'weather', 'weather_in'],
    arguments: { city: 'string' },
    values: oneCity,
    asked: [
      'What is the weather in {city}?',
      'Weather in {city}?',
      'How is the weather in {city}?',
      'Is it raining in {city}?',
      'Get the weather of {city}.',
    ],
    result: (random) => random.pick(['sunny', 'rain', 'snow', 'fog', 'wind', 'clouds', 'storm']),
    answers: 'The weather is: {result}.',
  },
  {
    names: ['get_time', 'time', 'clock'],
    arguments: { city: 'string' },
    values: oneCity,
    asked: ['What time is it in {city}?', 'Time in {city}?', 'Tell me the time in {city}.', 'How late is it in {city}?'],
    result: (random) => `${random.int(0, 23)}:${random.int(10, 59)}`,
    answers: 'It is {result}.',
  },
  {
    names: ['search', 'find', 'lookup'],
    arguments: { query: 'string' },
    values: (random) => ({ query: random.pick(words) }),
    asked: ['Search for {query}.', 'Look up {query}.', 'Find {query} for me.', 'Search: {query}'],
    result: (random) => `${random.int(0, 99)} found`,
    answers: '{result}.',
  },
  {
    names: ['send', 'send_message', 'notify'],
    arguments: { to: 'string', text: 'string' },
    values: (random) => ({ to: random.pick(names), text: random.pick(words) }),
    asked: ['Send {text} to {to}.', 'Tell {to}: {text}', 'Write {to} the message {text}.', 'Message {to}: {text}'],
    result: () => 'sent',
    answers: 'Done: {result}.',
  },
  {
    names: ['set_timer', 'timer', 'start_timer'],
    arguments: { minutes: 'number' },
    values: (random) => ({ minutes: random.int(1, 60) }),
    asked: [
      'Set a timer for {minutes} minutes.',
      'Timer: {minutes} minutes',
      'Remind me in {minutes} minutes.',
      'Start a timer of {minutes} minutes.',
    ],
    result: () => 'started',
    answers: 'Done: {result}.',
  },
  {
    names: ['buy', 'order', 'purchase'],
    arguments: { item: 'string', count: 'number' },
    values: (random) => ({ item: random.pick(things), count: random.int(1, 9) }),
    asked: ['Buy {count} of {item}.', 'Order {item}, count {count}.', 'I need {count} x {item}.', 'Purchase {item} {count} times.'],
    result: () => 'ordered',
    answers: 'Done: {result}.',
  },
]

const signature = (random: Random, tool: Tool): ToolSignature => ({ name: random.pick(tool.names), arguments: tool.arguments })

function call(random: Random): Exercise {
  const offered = random.sample(tools, random.int(1, 3))
  const signatures = offered.map((tool) => signature(random, tool))
  const place = random.int(0, offered.length - 1)
  const [tool, chosen] = [offered[place], signatures[place]]
  if (!tool || !chosen) throw new Error('no tool was offered')
  const values = tool.values(random)
  const result = tool.result(random, values)
  return {
    key: `${chosen.name} ${JSON.stringify(values)}`,
    tools: signatures,
    turns: [
      { role: 'user', content: phrase(random, tool.asked, values) },
      { role: 'assistant', content: '', call: { name: chosen.name, arguments: values } },
      { role: 'tool', content: result },
      { role: 'assistant', content: tool.answers.replace('{result}', result) },
    ],
  }
}

/** A tool is available but not needed: it is not called. */
function noCall(random: Random): Exercise {
  const exercise = smallTalk.create(random)
  return { ...exercise, key: `tools ${exercise.key}`, tools: random.sample(tools, random.int(1, 2)).map((tool) => signature(random, tool)) }
}

export const toolTasks: readonly Task[] = [
  { name: 'tool-call', weight: 12, create: call },
  { name: 'tool-not-needed', weight: 1, create: noCall },
]
