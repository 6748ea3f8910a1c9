import { byteCount, specialTokenId, specialTokens, type SpecialToken } from '../model-files/special-tokens.ts'
import type { Conversation } from './conversation.ts'
import type { ToolCall, ToolSignature, Turn } from './exercise.ts'

/** Tokens of a conversation as the chat template writes it; a test holds the two together. */
export interface EncodedConversation {
  tokens: Int32Array
  /** 1 for tokens that the model must generate: answers, calls and the end of each. */
  scored: Uint8Array
}

const utf8 = new TextEncoder()

const header: Record<Turn['role'], SpecialToken> = {
  user: '<|im_start|>user\n',
  assistant: '<|im_start|>assistant\n',
  tool: '<|im_start|>tool\n',
}

/** Appends parts to a sequence; a text is its bytes, whatever special tokens it spells. */
class Sequence {
  readonly tokens: number[] = []
  readonly scored: number[] = []

  special(token: SpecialToken, isScored = false): this {
    this.tokens.push(specialTokenId(token))
    this.scored.push(isScored ? 1 : 0)
    return this
  }

  text(text: string, isScored = false): this {
    for (const byte of utf8.encode(text)) {
      this.tokens.push(byte)
      this.scored.push(isScored ? 1 : 0)
    }
    return this
  }

  encoded(): EncodedConversation {
    return { tokens: Int32Array.from(this.tokens), scored: Uint8Array.from(this.scored) }
  }
}

function signatureText({ name, arguments: declared }: ToolSignature): string {
  return `${name}(${Object.entries(declared)
    .map(([argument, type]) => `${argument}:${type}`)
    .join(',')})`
}

export function callText(call: ToolCall): string {
  return JSON.stringify({ name: call.name, arguments: call.arguments })
}

function writeSystem(sequence: Sequence, { system, tools }: Conversation): void {
  if (system === null && tools.length === 0) return
  sequence.special('<|im_start|>system\n').text(system ?? '')
  if (tools.length > 0) {
    if (system !== null) sequence.text('\n')
    sequence.special('<tools>').text(tools.map(signatureText).join(';')).special('</tools>')
  }
  sequence.special('<|im_end|>').text('\n')
}

function writeTurn(sequence: Sequence, turn: Turn): void {
  const spoken = turn.role === 'assistant'
  sequence.special(header[turn.role]).text(turn.content, spoken)
  if (turn.role === 'assistant' && turn.call) {
    sequence.special('<tool_call>', true).text(callText(turn.call), true).special('</tool_call>', true)
  }
  sequence.special('<|im_end|>', spoken).text('\n')
}

export function encodeConversation(conversation: Conversation): EncodedConversation {
  const sequence = new Sequence()
  writeSystem(sequence, conversation)
  for (const turn of conversation.turns) writeTurn(sequence, turn)
  return sequence.encoded()
}

/** Tokens of everything before the assistant's first turn, ending with its header. */
export function encodePrompt(conversation: Conversation): Int32Array {
  const sequence = new Sequence()
  writeSystem(sequence, conversation)
  for (const turn of conversation.turns.slice(0, 1)) writeTurn(sequence, turn)
  return sequence.special('<|im_start|>assistant\n').encoded().tokens
}

/** Text of the tokens of a turn; special ones appear as they are written. Null for a turn without an end. */
export function decodeAnswer(tokens: readonly number[] | null): string | null {
  if (tokens === null) return null
  const special = (token: number) => [...utf8.encode(specialTokens[token - byteCount] ?? '\u{FFFD}')]
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    Uint8Array.from(tokens.flatMap((token) => (token < byteCount ? [token] : special(token)))),
  )
}
