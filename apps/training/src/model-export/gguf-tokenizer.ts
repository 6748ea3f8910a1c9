import type { GgufEntry } from '../checkpoint-files/gguf/encode-gguf.ts'
import { ModelFileError } from '../checkpoint-files/model-file-error.ts'
import { splittingOf } from './gguf-splitting.ts'
import type { ModelTokenizer, Normalizer } from './model-tokenizer.ts'

/** Kinds of tokens in `tokenizer.ggml.token_type`. */
const kinds = { normal: 1, control: 3, userDefined: 4, unused: 5 } as const

/**
 * The tokenizer as llama.cpp reads it. @param size of the vocabulary of the model, whose last ids may have no token
 * @throws ModelFileError naming the key of tokenizer.json that llama.cpp has no counterpart of
 */
export function toGgufTokenizer({ json, config, special, template }: ModelTokenizer, size: number): GgufEntry[] {
  const vocabulary = vocabularyOf(json)
  assertTextsAreKept(json.normalizer)
  const texts = Array.from({ length: size }, (_, id) => `[PAD${id}]`)
  const types = Array.from<number>({ length: size }).fill(kinds.unused)
  for (const [text, id] of Object.entries(vocabulary.vocab)) [texts[id], types[id]] = [text, kinds.normal]
  for (const { id, content, special: isSpecial } of json.added_tokens ?? [])
    [texts[id], types[id]] = [content, isSpecial ? kinds.control : kinds.userDefined]
  const ids: readonly (readonly [string, number | null])[] = [
    ['bos', special.beginOfText],
    ['eos', special.endOfText],
    ['eot', special.endOfTurn],
    ['unknown', special.unknown],
    ['padding', special.padding],
  ]
  return [
    ['tokenizer.ggml.model', 'text', 'gpt2'],
    ['tokenizer.ggml.pre', 'text', splittingOf(json, vocabulary.merges.length > 0)],
    ['tokenizer.ggml.tokens', 'texts', texts],
    ['tokenizer.ggml.token_type', 'i32s', types],
    ['tokenizer.ggml.merges', 'texts', vocabulary.merges],
    ...ids.flatMap(([name, id]) => (id === null ? [] : [[`tokenizer.ggml.${name}_token_id`, 'u32', id] as const])),
    ['tokenizer.ggml.add_bos_token', 'bool', special.beginOfText !== null && addsBeginning(json, config)],
    ...(template === null ? [] : [['tokenizer.chat_template', 'text', template] as const]),
  ]
}

interface Vocabulary {
  vocab: Readonly<Record<string, number>>
  /** Pairs with a space between them. */
  merges: readonly string[]
}

function vocabularyOf({ model }: ModelTokenizer['json']): Vocabulary {
  if (model.type !== 'BPE' || model.byte_fallback === true) {
    const found = model.type === 'BPE' ? '"model.byte_fallback" true' : `"model.type" ${JSON.stringify(model.type)}`
    throw new ModelFileError(
      'unsupported',
      `${found} in tokenizer.json is not written to GGUF, only BPE of bytes is; export as safetensors and convert that with llama.cpp`,
    )
  }
  const merges = (model.merges ?? []).map((merge) => (typeof merge === 'string' ? merge : merge.join(' ')))
  return { vocab: model.vocab ?? {}, merges }
}

/** llama.cpp encodes texts as they are. NFC changes few of those that people write, and its own converter ignores it, too. */
function assertTextsAreKept(normalizer: Normalizer | null | undefined): void {
  const changing = stepsOf(normalizer).find(({ type }) => type !== 'NFC')
  if (changing === undefined) return
  throw new ModelFileError(
    'unsupported',
    `"normalizer" ${JSON.stringify(changing.type)} in tokenizer.json is not written to GGUF, since llama.cpp encodes texts as they are; export as safetensors`,
  )
}

function stepsOf(step: Normalizer | null | undefined): Normalizer[] {
  if (!step) return []
  return step.type === 'Sequence' ? (step.normalizers ?? []).flatMap(stepsOf) : [step]
}

/** Whether encoding a text adds the token for its beginning, as the settings or the post-processor say. */
function addsBeginning({ post_processor: processor }: ModelTokenizer['json'], config: Readonly<Record<string, unknown>>): boolean {
  const set = config['add_bos_token']
  if (typeof set === 'boolean') return set
  const steps = [processor, ...(processor?.processors ?? [])]
  return steps.some((step) => step?.type === 'TemplateProcessing' && step.single?.[0]?.['SpecialToken'] !== undefined)
}
