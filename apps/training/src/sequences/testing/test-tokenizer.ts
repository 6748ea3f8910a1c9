import type { SequenceTokenizer } from '../sequence-tokenizer.ts'

/**
 * Tokens are characters by their code; the three after them are special. The template is `<role>content</>` for each message, with tools before and tool
 * calls after the content.
 */
export function createTestTokenizer({
  vocabularySize = 131,
  render,
}: { vocabularySize?: number; render?: SequenceTokenizer['render'] } = {}): SequenceTokenizer {
  const specials = ['</>', '<end>', '<pad>']
  const textOf = (token: number) => specials[token - 128] ?? String.fromCodePoint(token)
  return {
    vocabularySize,
    special: {
      beginOfText: null,
      endOfText: 129,
      padding: 130,
      unknown: null,
      endOfTurn: 128,
      stop: [128, 129],
      all: new Set([128, 129, 130]),
    },
    encode: (text) => Int32Array.from(text.match(/<\/>|<end>|<pad>|[^]/g) ?? [], (piece) => codeOf(piece, specials)),
    decode: (tokens) => Array.from(tokens, textOf).join(''),
    idOf: (text) => (specials.includes(text) ? codeOf(text, specials) : text.length === 1 ? text.codePointAt(0)! : null),
    render: render ?? renderPlain,
  }
}

function codeOf(piece: string, specials: readonly string[]): number {
  const special = specials.indexOf(piece)
  return special === -1 ? piece.codePointAt(0)! : 128 + special
}

export const renderPlain: SequenceTokenizer['render'] = ({ messages, tools, addGenerationPrompt }) => {
  const turns = messages.map(
    ({ role, content, tool_calls: calls }) => `<${role}>${content as string}${calls ? JSON.stringify(calls) : ''}</>`,
  )
  return `${tools ? `[${tools.length} tools]` : ''}${turns.join('')}${addGenerationPrompt ? '<assistant>' : ''}`
}
