import { byteCount, specialTokens, vocabularySize } from './special-tokens.ts'

/** The visible character that represents each byte in a byte-level vocabulary (Radford et al. 2019, `bytes_to_unicode`). */
function byteCharacters(): string[] {
  const printable = (byte: number) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae
  let next = byteCount
  return Array.from({ length: byteCount }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++))
}

/** The contents of `tokenizer.json`: a token a byte, with the byte as its id, no merges, and the special tokens above. */
export function tokenizerJson(): object {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false }
  const reserved = Array.from({ length: vocabularySize - byteCount - specialTokens.length }, (_, index) => `<|reserved_${index}|>`)
  const added = [...specialTokens, ...reserved].map((content, index) => ({
    id: byteCount + index,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }))
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(byteCharacters().map((character, byte) => [character, byte])),
      merges: [],
    },
  }
}
