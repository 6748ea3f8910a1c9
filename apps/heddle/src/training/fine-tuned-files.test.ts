import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommand } from '../testing/run-command.ts'

vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
let client: ReturnType<typeof connect>
let project: string
const connect = ({ url: baseUrl, apiKey }: TestServer) => createClient({ baseUrl, apiKey, contract: training })
beforeAll(async () => {
  server = await shareBuiltTestServer()
  client = connect(server)
  project = server.newProject()
})
afterAll(() => server.close())

type Chat = Parameters<typeof client.chatCompletions.create>[0]
type Line = Pick<Chat, 'messages' | 'tools'>

const nameOf = (model: string) => `heddle-artifact:///${project}/${model}`
const user = (content: string) => ({ role: 'user' as const, content })
const assistant = (fields: object) => ({ role: 'assistant' as const, content: null, ...fields })
const callOf = (name: string, args: unknown, id = 'call00001') => ({ id, type: 'function', function: { name, arguments: args } })
const toolOf = (name: string, parameters: object, strict = false) => ({
  type: 'function' as const,
  function: { name, description: name, parameters, strict },
})

/** Trains a new model on a file that has one line many times, and returns the tokens that each batch of four lines taught. */
async function learn(name: string, line: object, { base = 'heddle-nano', lines = 160 } = {}) {
  const [entity = '', own = ''] = project.split('/')
  const model = await client.models.create({ entity, project: own, name, base_model: base })
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`.repeat(lines))
  const { url } = await client.trainingData.create({ entity, project: own, bytes, content_type: 'application/jsonl' })
  const { id } = await client.trainingJobs.createSft({ model_id: model.id, training_data_url: url, config: { batch_size: 4 } })
  await expect.poll(async () => (await client.trainingJobs.read({ job_id: id })).status, { timeout: 240_000 }).toBe('succeeded')
  const { data } = await client.trainingEvents.list({ job_id: id, limit: 2 })
  expect(data[0]?.data).toMatchObject({ notes: [] })
  return data[1]?.data['num_trainable_tokens']
}

const answerOf = async (model: string, chat: Line & Partial<Chat>) => {
  const sent = { model: nameOf(model), temperature: 0, max_tokens: 150, ...chat } as Chat
  return client.chatCompletions.create(sent)
}

/** The calls of an answer, as name and arguments. */
const callsOf = async (model: string, chat: Line & Partial<Chat>) =>
  (await answerOf(model, chat)).choices[0]!.message.tool_calls?.map((call) =>
    'function' in call ? call.function.name + call.function.arguments : '',
  )

/** What the command prints. */
async function said(model: string, message: string) {
  const args = ['chat', message, '--model', nameOf(model), '--temperature', '0', '--url', server.url]
  return (await runCommand(args, { HEDDLE_API_KEY: server.apiKey })).out.trim()
}

describe('arguments of a call without any', () => {
  const tools = [toolOf('now', { type: 'object', properties: {} })]
  const question = user('What time is it?')

  test.each(inject('long') ? ['{}', '', null] : ['', null])('that are written %j are learned and rendered as {}', async (args) => {
    const name = `arguments-${String(args).length}`
    const turn = assistant({ tool_calls: [callOf('now', args)] })
    await learn(name, { messages: [question, turn], tools })
    expect(await callsOf(name, { messages: [question], tools })).toEqual(['now{}'])
    const tokensWith = async (given: unknown) => {
      const messages = [
        question,
        assistant({ tool_calls: [callOf('now', given)] }),
        { role: 'tool', tool_call_id: 'call00001', content: '10:00' },
      ]
      return (await answerOf(name, { messages, tools, max_tokens: 1 } as Line & Partial<Chat>)).usage?.prompt_tokens
    }
    expect(await tokensWith(args)).toBe(await tokensWith('{}'))
  })
})

describe('fields of fine-tuning files', () => {
  const turns = [user('ask'), assistant({ content: 'BAD' }), user('again'), assistant({ content: 'good' })]

  test('a turn of weight 0 is read and not learned', async () => {
    const weighted = turns.map((turn, at) => (turn.role === 'user' ? turn : { ...turn, weight: at === 1 ? 0 : 1 }))
    expect(await learn('weighted', { messages: weighted })).toBe(4 * 5)
    expect(await said('weighted', 'ask')).not.toContain('BAD')
  })

  test('a turn without a weight is learned', async () => {
    expect(await learn('unweighted', { messages: turns })).toBe(4 * 9)
    expect((await answerOf('unweighted', { messages: [user('ask')] })).choices[0]!.message.content).toBe('BAD')
  })

  test('an older call of a function is learned as a call of a tool', async () => {
    const tools = [toolOf('now', { type: 'object', properties: {} })]
    await learn('older', { messages: [user('ask'), assistant({ function_call: { name: 'now', arguments: '{}' } })], tools })
    expect(await callsOf('older', { messages: [user('ask')], tools })).toEqual(['now{}'])
  })

  test('a refusal is learned as its text', async () => {
    await learn('refusing', { messages: [user('ask'), assistant({ refusal: 'I cannot.' })] })
    expect((await answerOf('refusing', { messages: [user('ask')] })).choices[0]!.message.content).toBe('I cannot.')
  })
})

test.each(inject('long') ? ['a model that learned to call two tools'] : [])(
  '%s calls one where asked, and fits strict schemas, whether or not it must call',
  async () => {
    const question = user('Weather and time in Oslo?')
    const schema = (city: object) => ({ type: 'object', properties: { city }, required: ['city'], additionalProperties: false })
    const toolsFor = (city: object, strict = false) => ['weather', 'time'].map((name) => toolOf(name, schema(city), strict))
    const turn = assistant({ tool_calls: ['weather', 'time'].map((name, at) => callOf(name, '{"city":"Oslo"}', `call0000${at}`)) })
    const tools = toolsFor({ type: 'string' })
    await learn('calling', { messages: [question, turn], tools }, { base: 'heddle-micro', lines: 240 })
    const asked = { messages: [question], tools }
    expect(await callsOf('calling', asked)).toEqual(['weather{"city":"Oslo"}', 'time{"city":"Oslo"}'])
    const one = ['weather{"city":"Oslo"}']
    expect(await callsOf('calling', { ...asked, parallel_tool_calls: false })).toEqual(one)
    expect(await callsOf('calling', { ...asked, parallel_tool_calls: false, tool_choice: 'required' })).toEqual(one)
    const strict = { messages: [question], tools: toolsFor({ type: 'string', enum: ['Bern'] }, true) }
    const bern = await callsOf('calling', strict)
    expect(bern?.length).toBeGreaterThan(0)
    expect(new Set(bern?.map((call) => call.replace(/^\w+/, '')))).toEqual(new Set(['{"city":"Bern"}']))
    expect(await callsOf('calling', { ...strict, parallel_tool_calls: false, tool_choice: 'required' })).toEqual(['weather{"city":"Bern"}'])
  },
)

describe('characters', () => {
  const bases = ['heddle-nano', 'heddle-micro']
  /** Every printable character of ASCII, each once. */
  const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, at) => 32 + at))
  const other = 'äßñ – “ж” 漢字 🙂'
  const markup = '<b>a@b.c costs $5 (50%)</b>'

  test.each(bases)('%s says every printable one of ASCII, and others by their bytes, where a schema wants them', async (model) => {
    for (const text of [ascii, other]) {
      const schema = {
        type: 'object',
        properties: { text: { type: 'string', const: text } },
        required: ['text'],
        additionalProperties: false,
      }
      const response_format = { type: 'json_schema' as const, json_schema: { name: 'text', schema, strict: true } }
      const { choices } = await client.chatCompletions.create({
        model,
        messages: [user('write')],
        response_format,
        max_tokens: 300,
      } as Chat)
      expect(JSON.parse(choices[0]!.message.content ?? '')).toEqual({ text })
    }
  })

  const taught = bases.flatMap((base) => [ascii, other, markup].map((text) => ({ base, text })))
  // Each takes many steps, the larger model half a minute.
  test.each(inject('long') ? taught : [])('$base learns to say $text', async ({ base, text }) => {
    const name = `${base}-says-${text.length}`
    await learn(name, { messages: [user('write'), assistant({ content: text })] }, { base, lines: 400 })
    expect((await answerOf(name, { messages: [user('write')] })).choices[0]!.message.content).toBe(text)
  })
})

describe('numbers that are none', () => {
  const sampled = async () => {
    const [entity = '', own = ''] = project.split('/')
    const model = await client.models.create({ entity, project: own, name: 'numbers', base_model: 'heddle-nano', return_existing: true })
    const asked = { model: nameOf('numbers'), messages: [user('Say a colour.')], n: 2, max_tokens: 8, seed: 3 }
    const { choices } = await client.chatCompletions.create(asked as Chat)
    const groups = (reward: number) => [
      { trajectories: [reward, 1].map((one, at) => ({ messages_and_choices: [user('Say a colour.'), choices[at]!], reward: one })) },
    ]
    return { model_id: model.id, groups }
  }

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('a reward of %d is refused by name, by jobs and by logs', async (reward) => {
    const { model_id, groups } = await sampled()
    const trajectory_groups = groups(reward) as Parameters<typeof client.trainingJobs.create>[0]['trajectory_groups']
    await expect(client.trainingJobs.create({ model_id, trajectory_groups })).rejects.toThrow(/reward/)
    await expect(client.trajectories.log({ model_id, split: 'val', trajectory_groups })).rejects.toThrow(/reward/)
  })

  test('a rate that is none is refused by name', async () => {
    const { model_id, groups } = await sampled()
    const trajectory_groups = groups(0) as Parameters<typeof client.trainingJobs.create>[0]['trajectory_groups']
    const experimental_config = { learning_rate: Number('1e-3x') }
    await expect(client.trainingJobs.create({ model_id, trajectory_groups, experimental_config })).rejects.toThrow(/learning_rate/)
  })
})
