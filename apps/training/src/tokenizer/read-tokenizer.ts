import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { readAddedTokens } from './added-tokens.ts'
import { compileChatTemplate } from './chat-template.ts'
import type { ChatTokenizer } from './chat-tokenizer.ts'
import type { RenderConversation } from './conversation.ts'
import { findChatTemplate } from './find-chat-template.ts'
import { findModelJson, readModelJson } from './model-files.ts'
import { toPlainMessages } from './plain-messages.ts'
import { readSpecialTokens, tokenText } from './special-tokens.ts'
import { readSpelling, toTokenBytes } from './token-bytes.ts'
import { readComponents } from './tokenizer-components.ts'
import { ChatTemplateError, TokenizerError } from './tokenizer-error.ts'
import { findToolCallFormat, NoToolCalls, withArgumentObjects } from './tool-call-format.ts'

export interface LoadTokenizerOptions {
  /** For templates that write the date. Default: the time of this machine. */
  now?: () => Date
}

/** What `loadTokenizer` returns. @throws as `loadTokenizer` */
export async function readTokenizer(folder: string, { now = () => new Date() }: LoadTokenizerOptions): Promise<ChatTokenizer> {
  const [json, config, generation] = await Promise.all([
    readModelJson(folder, 'tokenizer.json'),
    readModelJson(folder, 'tokenizer_config.json'),
    findModelJson(folder, 'generation_config.json'),
  ])
  const tokens = createTokens(json, config, folder)
  const template = await loadTemplate(folder, config, now)
  const specialTexts = [...tokens.special].map((token) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(tokens.bytes[token]))
  const found = findToolCallFormat({ render: template, specialTexts })
  const toolCalls = found instanceof NoToolCalls ? null : found
  const render: RenderConversation = !found.takesText
    ? (conversation) => template({ ...conversation, messages: withArgumentObjects(toPlainMessages(conversation.messages)) })
    : template
  const endOfTurn = findEndOfTurn(tokens, render)
  const special = readSpecialTokens({ config, generation, special: tokens.special, endOfTurn, idOf: tokens.idOf })
  return {
    vocabularySize: tokens.bytes.length,
    special,
    longestTokenBytes: tokens.bytes.reduce((longest, bytes) => Math.max(longest, bytes.length), 1),
    encode: tokens.encode,
    decode: (ids, { skipSpecial = false } = {}) => decode(ids, tokens, skipSpecial),
    bytesOf: (token) => tokens.bytes[token] ?? noBytes,
    idOf: tokens.idOf,
    toolCalls,
    whyNoCalls: found instanceof NoToolCalls ? found.reason : null,
    render,
  }
}

const noBytes = new Uint8Array()

interface Tokens {
  bytes: readonly Uint8Array[]
  special: ReadonlySet<number>
  encode: ChatTokenizer['encode']
  idOf(text: string): number | null
}

function createTokens(json: Record<string, unknown>, config: Record<string, unknown>, folder: string): Tokens {
  const path = join(folder, 'tokenizer.json')
  const components = readComponents(json, path)
  const { trim, addedTokens } = readAddedTokens(components['added_tokens'], path)
  const tokenizer = createLibraryTokenizer({ ...components, added_tokens: addedTokens }, config, path)
  const spelling = readSpelling(json['decoder'])
  const added = tokenizer.get_added_tokens_decoder()
  const bytes: Uint8Array[] = []
  for (const [text, id] of tokenizer.get_vocab()) {
    if (typeof text === 'string') bytes[id] = added.has(id) ? new TextEncoder().encode(text) : toTokenBytes(text, spelling)
  }
  for (let id = 0; id < bytes.length; id += 1) bytes[id] ??= noBytes
  return {
    bytes,
    special: new Set([...added.values()].filter((token) => token.special).map((token) => token.id)),
    encode: (text, { addSpecialTokens = false } = {}) =>
      // Characters without a token in the vocabulary are omitted, as in the reference implementation.
      Int32Array.from(
        (tokenizer.encode(trim(text), { add_special_tokens: addSpecialTokens }).ids as (number | undefined)[]).filter(isKnown),
      ),
    idOf: (text) => tokenizer.token_to_id(text) ?? null,
  }
}

const isKnown = (id: number | undefined): id is number => id !== undefined

function createLibraryTokenizer(json: Record<string, unknown>, config: Record<string, unknown>, path: string): Tokenizer {
  try {
    return new Tokenizer(json, config)
  } catch (error) {
    throw new TokenizerError(`${path} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

async function loadTemplate(folder: string, config: Record<string, unknown>, now: () => Date): Promise<RenderConversation> {
  const sources = await findChatTemplate(folder, config)
  if (sources === null) {
    return () => {
      throw new ChatTemplateError('this model has no chat template, so it cannot take messages')
    }
  }
  const tokens = Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) => {
      const text = name.endsWith('_token') ? tokenText(value) : null
      return text === null ? [] : [[name, text]]
    }),
  )
  const compile = (source: string) => compileChatTemplate({ source, path: sources.path, tokens, now })
  const defaultTemplate = compile(sources.defaultTemplate)
  const withTools = sources.withTools === sources.defaultTemplate ? defaultTemplate : compile(sources.withTools)
  return (conversation) => (conversation.tools?.length ? withTools : defaultTemplate)(conversation)
}

/** The first special token after the content of an assistant's turn. */
function findEndOfTurn({ encode, special }: Tokens, render: RenderConversation): number | null {
  const content = 'ok'
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content },
  ]
  let text
  try {
    text = render({ messages })
  } catch {
    return null
  }
  const after = text.slice(text.lastIndexOf(content) + content.length)
  return encode(after).find((id) => special.has(id)) ?? null
}

function decode(ids: Iterable<number>, { bytes, special }: Tokens, skipSpecial: boolean): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  for (const id of ids) if (!(skipSpecial && special.has(id))) text += decoder.decode(bytes[id] ?? noBytes, { stream: true })
  return text + decoder.decode()
}
