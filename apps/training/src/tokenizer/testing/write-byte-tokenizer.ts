import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { byteLevelCharacters } from '../token-bytes.ts'

const usualSpecials = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
const chatml = `{%- for message in messages -%}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

export interface ByteTokenizerFiles {
  /** Default: plain ChatML. */
  chatTemplate?: string | null
  /** Further merges of two tokens, each a new token, in the spelling of the vocabulary. */
  merges?: readonly (readonly [string, string])[]
  config?: Record<string, unknown>
  /** Special tokens, behind all others. Default: those of ChatML. */
  specials?: readonly string[]
}

/** Writes the tokenizer of a small model: a token for each byte, then merges, then special tokens. */
export async function writeByteTokenizer(
  folder: string,
  { chatTemplate = chatml, merges = [], config = {}, specials = usualSpecials }: ByteTokenizerFiles = {},
) {
  await mkdir(folder, { recursive: true })
  const texts = [...byteLevelCharacters, ...merges.map(([left, right]) => left + right)]
  const added = specials.map((content, index) => ({ id: texts.length + index, content, special: true, normalized: false }))
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    post_processor: null,
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab: Object.fromEntries(texts.map((text, id) => [text, id])), merges, unk_token: null },
  }
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer))
  const usual = { bos_token: null, eos_token: '<|im_end|>', pad_token: '<|endoftext|>', clean_up_tokenization_spaces: false }
  await writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({ ...usual, chat_template: chatTemplate, ...config }))
}
