import type { TextSymbol } from './frames/frame.ts'
import { specialSymbols } from './frames/frame.ts'

/** The source of a vocabulary; a `ChatTokenizer` is one. */
export interface TokenSource {
  vocabularySize: number
  bytesOf(token: number): Uint8Array
  special: { all: ReadonlySet<number> }
}

/** A prefix tree over the bytes of all tokens except special ones, in flat arrays: 0 is the root and also means "none". Built once per model. */
export interface Vocabulary {
  readonly size: number
  /** For each node: the byte that leads to it, its first child, the next child of its parent, the first token that ends there (-1: none). */
  readonly bytes: Uint8Array
  readonly children: Int32Array
  readonly siblings: Int32Array
  readonly tokens: Int32Array
  /** For each token: the next one with the same bytes (-1: none). */
  readonly sameTokens: Int32Array
  /** Special tokens. */
  readonly specials: readonly number[]
  /** The symbols of a token: its bytes, or one symbol for a special token. */
  symbolsOf(token: number): readonly TextSymbol[]
  /** The symbols of a text, with special tokens by name. */
  spell(text: string): TextSymbol[]
}

export function createVocabulary(source: TokenSource): Vocabulary {
  const size = source.vocabularySize
  const isText = (token: number) => !source.special.all.has(token) && source.bytesOf(token).length > 0
  const nodes = 1 + sum(size, (token) => (isText(token) ? source.bytesOf(token).length : 0))
  const tree = {
    bytes: new Uint8Array(nodes),
    children: new Int32Array(nodes),
    siblings: new Int32Array(nodes),
    tokens: new Int32Array(nodes).fill(-1),
    sameTokens: new Int32Array(size).fill(-1),
  }
  let count = 1
  const childOf = (node: number, byte: number) => {
    for (let child = tree.children[node]!; child !== 0; child = tree.siblings[child]!) if (tree.bytes[child] === byte) return child
    const child = count
    count += 1
    tree.bytes[child] = byte
    tree.siblings[child] = tree.children[node]!
    tree.children[node] = child
    return child
  }
  for (let token = size - 1; token >= 0; token -= 1) {
    if (!isText(token)) continue
    let node = 0
    for (const byte of source.bytesOf(token)) node = childOf(node, byte)
    tree.sameTokens[token] = tree.tokens[node]!
    tree.tokens[node] = token
  }
  return {
    size,
    ...tree,
    specials: [...source.special.all].filter((token) => token < size),
    symbolsOf: (token) => (source.special.all.has(token) ? [specialSymbols + token] : [...source.bytesOf(token)]),
    spell: (text) => spell(text, source),
  }
}

function sum(count: number, term: (index: number) => number): number {
  let total = 0
  for (let index = 0; index < count; index += 1) total += term(index)
  return total
}

/** The longest name of a special token wins where several begin. */
function spell(text: string, { special, bytesOf }: TokenSource): TextSymbol[] {
  const names = [...special.all]
    .map((token) => ({ token, name: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(token)) }))
    .filter(({ name }) => name !== '')
  names.sort((a, b) => b.name.length - a.name.length)
  const symbols: TextSymbol[] = []
  let plainFrom = 0
  const writePlain = (end: number) => symbols.push(...new TextEncoder().encode(text.slice(plainFrom, end)))
  for (let at = 0; at < text.length;) {
    const found = names.find(({ name }) => text.startsWith(name, at))
    if (found === undefined) {
      at += 1
      continue
    }
    writePlain(at)
    symbols.push(specialSymbols + found.token)
    at += found.name.length
    plainFrom = at
  }
  writePlain(text.length)
  return symbols
}
