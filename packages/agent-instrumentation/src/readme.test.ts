import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codeIn } from '@heddle/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { RecordedGroup } from './trajectory/recorded.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-readme-'))
let completions = 0
let isRegistered = false

/** Answers wrongly every other time, so that there is something to learn. */
function completion() {
  if (!isRegistered) return { error: { message: 'model not found' } }
  const content = completions++ % 2 === 0 ? '7' : '8'
  const logprobs = { content: [{ token: 'token_id:55', logprob: -0.7, bytes: [55], top_logprobs: [] }], refusal: null }
  return { model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, logprobs }] }
}

const responses: Record<string, () => object> = {
  '/v1/chat/completions': completion,
  '/v1/messages': () => ({
    id: 'msg',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: '7' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  '/v1/preview/models': () => {
    isRegistered = true
    return { id: 'm1' }
  },
  '/judge/chat/completions': () => {
    const scores = Array.from({ length: 8 }, (_, index) => ({ trajectory_id: String(index + 1), explanation: 'e', score: index / 8 }))
    return { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: JSON.stringify({ scores }) } }] }
  },
  '/v1/preview/training-jobs': () => ({ id: 'j1' }),
  '/v1/preview/training-jobs/j1/events': () => ({ data: [{ id: 'e1', type: 'training_ended', data: {} }], has_more: false }),
}
const server = createServer((request, response) => {
  const body = responses[(request.url ?? '').replace(/\?.*/, '')]?.() ?? {}
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

/** Examples of the README as one program, which is this package's own. */
async function runExamples(codes: readonly string[], name: string): Promise<unknown> {
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const here = codes
    .join('\n')
    .replaceAll("'@heddle/agent-instrumentation'", `'${new URL('index.ts', import.meta.url).href}'`)
    .replace("'openai'", `'${import.meta.resolve('openai')}'`)
    .replace("'@anthropic-ai/sdk'", `'${import.meta.resolve('@anthropic-ai/sdk')}'`)
    .replace('127.0.0.1:7400', address)
    .replace('https://models.example/v1', `http://${address}/judge`)
  const file = join(folder, name)
  writeFileSync(file, here)
  return import(pathToFileURL(file).href)
}

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const examples = codeIn(readme, 'ts')

test('the first example of the README runs unchanged, on a server without the model, and prints what it promises', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  await runExamples(examples.slice(0, 1), 'first.ts')
  const printed = log.mock.calls
  log.mockRestore()
  expect(printed).toEqual([[[]], ['training_ended']])
})

test('the example of the client of Anthropic records each attempt with its answer and reward', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const messages = examples.find((code) => code.includes('wrapAnthropic')) ?? ''
  const codes = [examples[0] ?? '', messages, 'export { byMessages }']
  const { byMessages } = (await runExamples(codes, 'messages.ts')) as { byMessages: RecordedGroup }
  log.mockRestore()
  expect(byMessages.trajectories.map(({ reward }) => reward)).toEqual(Array.from({ length: 8 }, () => 1))
  expect(byMessages.trajectories[0]?.messages_and_choices).toMatchObject([
    { role: 'user', content: '3 + 4 =' },
    { finish_reason: 'stop', message: { role: 'assistant', content: '7' } },
  ])
})

test('the example of a carrier brings back what was recorded elsewhere', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const [inWorker = '', inAttempt = ''] = examples.find((code) => code.includes('continueTrajectory'))?.split('// in the attempt\n') ?? []
  const rest = `
const messages = [{ role: 'user' as const, content: 'elsewhere' }]
async function askWorker(carrier: Record<string, string>) {
  let text = ''
  const reply = (finished: string) => { text = finished }
  ${inWorker}
  return text
}
export const joined = await agent.group({ attempts: 1 }).run(async (trajectory) => {
  ${inAttempt}
  trajectory.reward(1)
})`
  const { joined } = (await runExamples([examples[0] ?? '', rest], 'carrier.ts')) as { joined: RecordedGroup }
  log.mockRestore()
  expect(joined.trajectories[0]?.messages_and_choices[0]).toEqual({ role: 'user', content: 'elsewhere' })
  expect(joined.trajectories[0]?.messages_and_choices[1]).toMatchObject({ message: { role: 'assistant' } })
})

test('the example of a judge gives each attempt its score, instead of a reward', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const judge = examples.find((code) => code.includes('createRuler')) ?? ''
  const { judged } = (await runExamples([examples[0] ?? '', judge, 'export { judged }'], 'judge.ts')) as { judged: RecordedGroup }
  log.mockRestore()
  expect(new Set(judged.trajectories.map(({ reward }) => reward)).size).toBeGreaterThan(1)
  expect(judged.trajectories.map(({ metrics, reward }) => metrics['ruler_score'] === reward)).not.toContain(false)
})
