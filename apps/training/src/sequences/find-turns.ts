import { createMarks, cutAtMarks } from './marks.ts'
import { reasoningsOf } from './reasonings-of.ts'
import { renderAt } from './render-at.ts'
import type { SequenceTokenizer } from './sequence-tokenizer.ts'

export interface RenderedConversation {
  messages: readonly { role: string; content: string; [key: string]: unknown }[]
  tools: readonly unknown[] | null
  /** The template's text for it. */
  text: string
  tokenizer: SequenceTokenizer
  /** Its location, for errors. */
  place: string
}

/** Part of a text: from its first character to before its end. */
export interface TextSpan {
  from: number
  to: number
}

/** Most turns that are located one at a time, each with two renderings. */
const maxSingleTurns = 64

/**
 * Locations of these messages' turns in the text, in order: content, tool calls and the token that ends the turn. They are found by marks around
 * their content; those with a reasoning, which the template may write before it, by where their beginning ends. Turns that the template rewrites are
 * omitted.
 */
export function findTurns(conversation: RenderedConversation, turns: readonly number[]): TextSpan[] {
  const { messages } = conversation
  const single = new Set(turns.slice(-maxSingleTurns))
  const together = findByMarks(conversation, turns)
  return turns.flatMap((turn, at) => {
    const reasoned = single.has(turn) && reasoningsOf(messages[turn]!).length > 0 ? findByBeginning(conversation, turn) : null
    const marked = reasoned ?? together?.[at]
    if (marked !== undefined) return [marked]
    if (!single.has(turn)) return []
    const alone = turns.length === 1 ? null : findByMarks(conversation, [turn])?.[0]
    return alone ?? findByBeginning(conversation, turn) ?? []
  })
}

/** Templates may trim content, which marks would prevent. */
function findByMarks(conversation: RenderedConversation, turns: readonly number[]): TextSpan[] | null {
  return findMarked(conversation, turns, (content) => content) ?? findMarked(conversation, turns, (content) => content.trim())
}

function findMarked(
  { messages, tools, text, tokenizer, place }: RenderedConversation,
  turns: readonly number[],
  write: (content: string) => string,
): TextSpan[] | null {
  const marks = createMarks([messages, tools], turns.length * 2)
  const unused = marks.marks.values()
  const found = new Set(turns)
  const marked = messages.map((message, at) => {
    if (!found.has(at)) return message
    const open = unused.next().value!
    return { ...message, content: `${open}${write(message.content)}${unused.next().value!}` }
  })
  const pieces = cutAtMarks(renderAt(place, tokenizer, { messages: marked, tools }), marks)
  // Marks that changed anything else would give wrong positions.
  if (pieces === null || pieces.join('') !== text) return null
  const endOfTurn = endOfTurnText(tokenizer)
  let at = 0
  const ends = pieces.map((piece) => (at += piece.length))
  return turns.map((_, turn) => ({ from: ends[turn * 2]!, to: turnEnd(text, ends[turn * 2 + 1]!, endOfTurn) }))
}

/** By the template's text for the conversation up to the turn; null if the rest changes it. */
function findByBeginning({ messages, tools, text, tokenizer, place }: RenderedConversation, turn: number): TextSpan | null {
  if (turn === 0) return null
  const before = renderAt(place, tokenizer, { messages: messages.slice(0, turn), tools, addGenerationPrompt: true })
  const through = renderAt(place, tokenizer, { messages: messages.slice(0, turn + 1), tools })
  if (!through.startsWith(before) || !text.startsWith(through)) return null
  const endOfTurn = endOfTurnText(tokenizer)
  const end = endOfTurn === null ? -1 : through.lastIndexOf(endOfTurn)
  return { from: before.length, to: end < before.length ? through.length : end + endOfTurn!.length }
}

/** After the token that ends the turn, which follows tool calls. Without such a token, after the content. */
function turnEnd(text: string, from: number, endOfTurn: string | null): number {
  const found = endOfTurn === null ? -1 : text.indexOf(endOfTurn, from)
  return found === -1 ? from : found + endOfTurn!.length
}

function endOfTurnText(tokenizer: SequenceTokenizer): string | null {
  const id = tokenizer.special.endOfTurn ?? tokenizer.special.endOfText
  return id === null ? null : tokenizer.decode([id])
}
