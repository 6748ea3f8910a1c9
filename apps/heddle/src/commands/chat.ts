import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { type ChatServer, type ChatSettings, type ChatTurn, streamCompletion } from '../chat/stream-completion.ts'
import { connect } from '../connect.ts'
import type { Configuration } from '../settings/configuration.ts'
import { parseWhole } from '../terminal/parse-whole.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { toTerminalPiece } from '../terminal/terminal-text.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface ChatOptions {
  model?: string
  system?: string
  temperature?: string
  maxTokens?: string
  seed?: string
}

interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean
}

interface Output extends NodeJS.WritableStream {
  isTTY?: boolean
}

export interface ChatDeps {
  configuration: Configuration
  terminal: Terminal
  /** Where messages come from without an argument, and where the sampled text goes, piece by piece. */
  input: Input
  output: Output
  /** Ends the sampling, and the conversation. */
  signal: AbortSignal
}

interface Chat extends Pick<ChatDeps, 'output' | 'signal'> {
  server: ChatServer
  settings: ChatSettings
}

/** Sends one message, from the argument or the input, and prints the completion; in a terminal without an argument, continues until its input ends. */
export async function chat(
  message: string | undefined,
  options: ChatOptions,
  { configuration, terminal, input, output, signal }: ChatDeps,
): Promise<void> {
  const { baseUrl, apiKey } = await connect(configuration)
  const server = { baseUrl, apiKey }
  const settings = { model: options.model ?? (await firstBaseModel(server, signal)), ...readNumbers(options) }
  const opening: ChatTurn[] = options.system === undefined ? [] : [{ role: 'system', content: options.system }]
  const talk = { server, settings, output, signal }
  if (message === undefined && input.isTTY === true) {
    terminal.note(`${settings.model} at ${baseUrl}. End with Ctrl-D; /new begins again`)
    return converse(opening, talk, { terminal, input })
  }
  const content = message ?? (await readAll(input)).trimEnd()
  if (content === '') throw new UsageError('the message is empty; pass one as an argument or on stdin')
  await say([...opening, { role: 'user', content }], talk)
}

async function converse(
  opening: readonly ChatTurn[],
  talk: Chat,
  { terminal, input }: Pick<ChatDeps, 'terminal' | 'input'>,
): Promise<void> {
  const lines = createInterface({ input, output: talk.output, prompt: '> ', terminal: true })
  const end = () => lines.close()
  // In a terminal the line editor takes Ctrl-C for itself.
  lines.on('SIGINT', end)
  talk.signal.addEventListener('abort', end)
  let turns = [...opening]
  lines.prompt()
  for await (const line of lines) {
    if (line.trim() === '/new') turns = [...opening]
    else if (line.trim() !== '') turns = await takeTurn([...turns, { role: 'user', content: line }], turns, { talk, terminal })
    lines.prompt()
  }
}

/** The conversation with the response; as it was before when the server refused. */
async function takeTurn(
  turns: ChatTurn[],
  before: ChatTurn[],
  { talk, terminal }: { talk: Chat; terminal: Terminal },
): Promise<ChatTurn[]> {
  try {
    return [...turns, { role: 'assistant', content: await say(turns, talk) }]
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    terminal.note(error.message)
    return before
  }
}

/** Prints the response as it is sampled, and returns it. A terminal gets no control characters; a pipe gets every one. */
async function say(messages: readonly ChatTurn[], { server, settings, output, signal }: Chat): Promise<string> {
  let content = ''
  for await (const piece of streamCompletion(server, { messages, settings }, signal)) {
    content += piece
    output.write(output.isTTY === true ? toTerminalPiece(piece) : piece)
  }
  output.write('\n')
  return content
}

async function firstBaseModel({ baseUrl, apiKey }: ChatServer, signal: AbortSignal): Promise<string> {
  const { data } = await createClient({ baseUrl, apiKey, contract: training }).baseModels.list({ limit: 1 }, { signal })
  if (data[0] === undefined) throw new UsageError('this server has no base model; name a model with --model')
  return data[0].id
}

function readNumbers({ temperature, maxTokens, seed }: ChatOptions): Omit<ChatSettings, 'model'> {
  return {
    ...(temperature !== undefined && { temperature: parseNumber('--temperature', temperature, temperatures) }),
    ...(maxTokens !== undefined && { max_tokens: parseWhole('--max-tokens', maxTokens, { to: 999_999_999 }) }),
    ...(seed !== undefined && { seed: parseNumber('--seed', seed, seeds) }),
  }
}

interface Allowed {
  form: RegExp
  description: string
}

const temperatures: Allowed = { form: /^\d{1,3}(\.\d{1,6})?$/, description: 'a number such as 0.7, 0 or more' }
const seeds: Allowed = { form: /^-?\d{1,15}$/, description: 'an integer of at most 15 digits' }

function parseNumber(flag: string, text: string, { form, description }: Allowed): number {
  if (!form.test(text)) throw new UsageError(`${flag} must be ${description}, got ${JSON.stringify(text)}`)
  return Number(text)
}
