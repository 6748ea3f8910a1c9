import { ModelFileError } from '../checkpoint-files/model-file-error.ts'
import type { PreTokenizer, TokenizerJson } from './model-tokenizer.ts'

const contractions = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)`
const ends = String.raw`|\s*[\r\n]+|\s+(?!\S)|\s+`
const letters = String.raw`[^\r\n\p{L}\p{N}]?\p{L}+`
const marks = String.raw` ?[^\s\p{L}\p{N}]+`
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
const before = String.raw`[^\r\n\p{L}\p{N}]?`

/** Patterns by which texts are split before tokens are merged, with llama.cpp's names for them. */
const patterns = new Map<string, (json: TokenizerJson) => string>([
  [
    String.raw`${contractions}|${letters}|\p{N}{1,3}|${marks}[\r\n]*${ends}`,
    // They split in the same way; the first takes a part that is a token as it is, without merging.
    ({ model }) => (model.ignore_merges === true ? 'llama-bpe' : 'smaug-bpe'),
  ],
  [String.raw`${contractions}|${letters}|\p{N}|${marks}[\r\n]*${ends}`, () => 'qwen2'],
  [String.raw`${before}${upper}*${lower}+|${before}${upper}+${lower}*|\p{N}|${marks}[\r\n/]*${ends}`, () => 'tekken'],
])

/** llama.cpp's name for how a text is split before tokens are merged. @throws ModelFileError when it has none */
export function splittingOf(json: TokenizerJson, merges: boolean): string {
  // Without merges each byte is a token, however the text is split.
  if (!merges) return 'gpt-2'
  const steps = stepsOf(json.pre_tokenizer)
  const name = nameOf(steps, json)
  if (name !== undefined) return name
  throw new ModelFileError(
    'unsupported',
    `"pre_tokenizer" in tokenizer.json, ${JSON.stringify(steps).slice(0, 300)}, has no known name in llama.cpp; export as safetensors and convert that with llama.cpp`,
  )
}

function stepsOf(step: PreTokenizer | null | undefined): PreTokenizer[] {
  if (!step) return []
  return step.type === 'Sequence' ? (step.pretokenizers ?? []).flatMap(stepsOf) : [step]
}

function nameOf(steps: readonly PreTokenizer[], json: TokenizerJson): string | undefined {
  const [first, second] = steps
  const last = steps.at(-1)
  if (last?.type !== 'ByteLevel' || last.add_prefix_space === true) return undefined
  if (steps.length === 1 && first?.use_regex !== false) return 'gpt-2'
  if (steps.length !== 2) return undefined
  if (first?.type === 'Digits') return first.individual_digits === true && second?.use_regex !== false ? 'smollm' : undefined
  if (first?.type !== 'Split' || first.behavior !== 'Isolated' || first.invert === true || second?.use_regex !== false) return undefined
  return patterns.get(first.pattern?.Regex ?? '')?.(json)
}
