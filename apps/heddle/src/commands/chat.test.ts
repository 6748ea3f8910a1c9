import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { runCommand } from '../testing/run-command.ts'
import { chat, type ChatOptions } from './chat.ts'
import { toTerminal } from '../terminal/terminal.ts'

// The first completion loads the model, for which a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 })

let server: TestServer
beforeAll(async () => {
  server = await shareBuiltTestServer()
})
afterAll(() => server.close())

/** Runs the command with this input, as if it were typed when `isTTY`. */
async function talk(
  message: string | undefined,
  options: ChatOptions,
  { lines = [], isTTY = false, url = server.url }: { lines?: string[]; isTTY?: boolean; url?: string } = {},
) {
  const notes: string[] = []
  const terminal = toTerminal({
    out: () => undefined,
    note: (note: string) => void notes.push(note),
    isInteractive: false,
    status: () => undefined,
  })
  const output = Object.assign(new PassThrough(), { isTTY })
  const input = Object.assign(Readable.from(lines), { isTTY })
  const configuration = toConfiguration({ environment: { HEDDLE_API_KEY: server.apiKey, HEDDLE_BASE_URL: url }, flags: {} })
  const signal = new AbortController().signal
  const written = text(output)
  await chat(message, { maxTokens: '12', seed: '1', ...options }, { configuration, terminal, input, output, signal }).finally(() =>
    output.end(),
  )
  return { out: await written, notes }
}

test('a message as argument and one on the input get the same response for the same seed', async () => {
  const { out } = await talk('3 + 4 =', {})
  expect(out).toMatch(/.\n$/s)
  expect((await talk(undefined, {}, { lines: ['3 + 4 =\n'] })).out).toBe(out)
})

test('the program takes the model by its name and writes to its output', async () => {
  const args = ['chat', 'hi', '--model', 'heddle-nano', '--max-tokens', '3', '--url', server.url]
  expect(await runCommand(args, { HEDDLE_API_KEY: server.apiKey })).toMatchObject({ code: 0, out: expect.stringMatching(/\n$/) })
})

test('in a terminal a conversation continues, and after a refusal as well', async () => {
  const lines = ['hi\n', `${'x'.repeat(2_000)}\n`, '/new\n', '3 + 4 =\n']
  const { out, notes } = await talk(undefined, {}, { lines, isTTY: true })
  expect(notes[0]).toMatch(/^heddle-\w+ at http.* Ctrl-D/)
  expect(notes[1]).toMatch(/the context of heddle-\w+ is \d+ tokens/)
  expect(out.match(/> /g)!.length).toBeGreaterThanOrEqual(4)
})

test.each<[string, string | undefined, ChatOptions, RegExp]>([
  ['an unknown model', 'hi', { model: 'local/none/none' }, /model "local\/none\/none" not found/],
  ['an empty message', undefined, {}, /the message is empty/],
  ['a temperature that is none', 'hi', { temperature: 'hot' }, /--temperature must be a number such as 0\.7, 0 or more, got "hot"/],
  ['a seed that is none', 'hi', { seed: '1.5' }, /--seed must be an integer of at most 15 digits, got "1\.5"/],
  ['no tokens', 'hi', { maxTokens: '0' }, /--max-tokens must be an integer from 1 to 999999999, got "0"/],
])('%s is an error that says what to do', async (_name, message, options, expected) => {
  await expect(talk(message, options)).rejects.toThrow(expected)
})

test('without a server the error says where none answers', async () => {
  await expect(talk('hi', { model: 'm' }, { url: 'http://127.0.0.1:9' })).rejects.toThrow(/no server answers at http:\/\/127.0.0.1:9/)
})
