import { TokenizerError } from './tokenizer-error.ts'

/** A part of `tokenizer.json`. */
type Component = Readonly<Record<string, unknown>> & { type: string }

type Rewrite = (component: Component, key: string) => Component

/**
 * The parts of a `tokenizer.json`, rewritten so that our library reads them as the reference implementation in Rust reads the file: white space,
 * digits and punctuation are those of Unicode.
 * @throws TokenizerError that names the key of an unsupported part
 */
export function readComponents(json: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  const model = componentAt(json['model'], 'model', path)
  if (!models.has(model.type)) throw unsupported(`"model.type" ${JSON.stringify(model.type)}`, path, `it may be ${[...models].join(', ')}`)
  for (const [key, known] of [
    ['decoder', decoders],
    ['post_processor', postProcessors],
  ] as const) {
    if (json[key] !== null && json[key] !== undefined) checkTypes(componentAt(json[key], key, path), { key, known, path })
  }
  return {
    ...json,
    normalizer: rewrite(json['normalizer'], { key: 'normalizer', known: normalizers, path }),
    pre_tokenizer: rewrite(json['pre_tokenizer'], { key: 'pre_tokenizer', known: preTokenizers, path }),
    post_processor: json['post_processor'] ?? null,
    decoder: json['decoder'] ?? null,
    added_tokens: json['added_tokens'] ?? [],
  }
}

const unchanged: Rewrite = (component) => component

const models = new Set(['BPE', 'Unigram', 'WordPiece'])
const decoders = new Set(['ByteLevel', 'WordPiece', 'Metaspace', 'BPEDecoder', 'CTC', 'Replace', 'Fuse', 'Strip', 'ByteFallback'])
const postProcessors = new Set(['TemplateProcessing', 'ByteLevel', 'BertProcessing', 'RobertaProcessing'])

/** The reference implementation's default split of text (GPT-2). */
const wordsOfByteLevel = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+`
const punctuation = String.raw`[!-\/:-@\[-\x60{-~\p{P}]`
const space = String.raw`\p{White_Space}+`
const wordCharacters = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}` + '\u200c\u200d'

const splitAt = (Regex: string, behavior = 'Isolated', invert = false): Component => ({
  type: 'Split',
  pattern: { Regex },
  behavior,
  invert,
})
const sequenceOf = (...pretokenizers: Component[]): Component => ({ type: 'Sequence', pretokenizers })
const replacing = (Regex: string, content: string): Component => ({ type: 'Replace', pattern: { Regex }, content })

const preTokenizers: Readonly<Record<string, Rewrite>> = {
  BertPreTokenizer: () => sequenceOf(splitAt(space, 'Removed'), splitAt(punctuation)),
  ByteLevel(component) {
    if (component['use_regex'] === false) return component
    const prefix = component['add_prefix_space'] === true ? [replacing(String.raw`\A(?! )`, ' ')] : []
    return sequenceOf(...prefix, splitAt(wordsOfByteLevel), { ...component, add_prefix_space: false, use_regex: false })
  },
  Digits: ({ individual_digits: isEach }) => splitAt(isEach === true ? String.raw`\p{N}` : String.raw`\p{N}+`),
  FixedLength: unchanged,
  Metaspace: unchanged,
  Punctuation: ({ behavior = 'Isolated' }, key) => splitBehaving({ type: 'Split', pattern: { Regex: punctuation }, behavior }, key),
  Replace: unchanged,
  Split: splitBehaving,
  Whitespace: () => splitAt(`[${wordCharacters}]+|[^${wordCharacters}\\p{White_Space}]+`, 'Removed', true),
  WhitespaceSplit: () => splitAt(space, 'Removed'),
}

const normalizers: Readonly<Record<string, Rewrite>> = {
  BertNormalizer: unchanged,
  // Letter by letter, without a final sigma.
  Lowercase: (component) => ({ type: 'Sequence', normalizers: [replacing('Σ', 'σ'), component] }),
  NFC: unchanged,
  NFD: unchanged,
  NFKC: unchanged,
  NFKD: unchanged,
  Precompiled: unchanged,
  Prepend: unchanged,
  Replace: unchanged,
  Strip({ strip_left: left, strip_right: right }) {
    const sides = [left === false ? [] : [`\\A${space}`], right === false ? [] : [`${space}\\z`]].flat()
    return replacing(sides.join('|') || '(?!)', '')
  },
  StripAccents: unchanged,
}

const behaviors = ['Isolated', 'Removed', 'Contiguous']

/** Where the pattern is, a text is cut, or with `invert` where it is not. */
function splitBehaving(component: Component, key: string): Component {
  const pattern = component['pattern'] as { Regex?: unknown; String?: unknown } | undefined
  const source =
    typeof pattern?.Regex === 'string' ? pattern.Regex : typeof pattern?.String === 'string' ? escapePattern(pattern.String) : null
  if (source === null) throw new TokenizerError(`"${key}.pattern" needs a "Regex" or a "String"`)
  const { behavior = 'Isolated', invert } = component
  if (!behaviors.includes(behavior as string)) {
    throw new TokenizerError(`"${key}.behavior" ${JSON.stringify(behavior)} is not supported; it may be ${behaviors.join(', ')}`)
  }
  if (behavior === 'Contiguous') return splitAt(`(?:${source})+`)
  // Both the matches and the text between them are kept.
  return behavior === 'Isolated' ? splitAt(source) : splitAt(source, 'Removed', invert === true)
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`)

/** Where a part is, for messages. */
interface Location {
  /** Keys from the top of the file, such as `normalizer.normalizers[0]`. */
  key: string
  /** The file. */
  path: string
}

function rewrite(value: unknown, { key, path, known }: Location & { known: Readonly<Record<string, Rewrite>> }): Component | null {
  if (value === null || value === undefined) return null
  const component = componentAt(value, key, path)
  if (component.type === 'Sequence') {
    const list = listIn(component, { key, path })
    return { ...component, [list.name]: list.items.map((item, at) => rewrite(item, { key: `${list.key}[${at}]`, path, known })) }
  }
  if (!Object.hasOwn(known, component.type)) {
    throw unsupported(`"${key}.type" ${JSON.stringify(component.type)}`, path, `it may be ${Object.keys(known).join(', ')}`)
  }
  try {
    return known[component.type]!(component, key)
  } catch (error) {
    throw new TokenizerError(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

function checkTypes(component: Component, { key, path, known }: Location & { known: ReadonlySet<string> }): void {
  if (component.type === 'Sequence') {
    const list = listIn(component, { key, path })
    for (const [at, item] of list.items.entries()) {
      const keyOfItem = `${list.key}[${at}]`
      checkTypes(componentAt(item, keyOfItem, path), { key: keyOfItem, path, known })
    }
  } else if (!known.has(component.type)) {
    throw unsupported(`"${key}.type" ${JSON.stringify(component.type)}`, path, `it may be ${[...known].join(', ')}`)
  }
}

/** The parts of a sequence: their list has another name for each kind. */
function listIn(component: Component, { key, path }: Location): { name: string; key: string; items: unknown[] } {
  const name = ['pretokenizers', 'normalizers', 'decoders', 'processors'].find((each) => Array.isArray(component[each]))
  if (name === undefined) throw new TokenizerError(`"${key}" in ${path} is a sequence without a list of parts`)
  return { name, key: `${key}.${name}`, items: component[name] as unknown[] }
}

function componentAt(value: unknown, key: string, path: string): Component {
  if (typeof value === 'object' && value !== null && typeof (value as Component).type === 'string') return value as Component
  throw new TokenizerError(`"${key}" in ${path} has no "type"`)
}

const unsupported = (what: string, path: string, allowed: string) => new TokenizerError(`${what} in ${path} is not supported; ${allowed}`)
