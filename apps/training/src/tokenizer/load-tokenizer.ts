import type { ChatTokenizer } from './chat-tokenizer.ts'
import type { LoadTokenizerOptions } from './read-tokenizer.ts'

/**
 * Loads `tokenizer.json`, `tokenizer_config.json` and the chat template of a model folder in the Hugging Face layout. Tokenizers and templates take 330 kB of
 * code, which a server that samples nothing does not load.
 * @throws TokenizerError that names the file
 */
export async function loadTokenizer(folder: string, options: LoadTokenizerOptions = {}): Promise<ChatTokenizer> {
  const { readTokenizer } = await import('./read-tokenizer.ts')
  return readTokenizer(folder, options)
}
