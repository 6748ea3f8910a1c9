import type { ChatTokenizer } from './chat-tokenizer.ts'
import { loadTokenizer } from './load-tokenizer.ts'

/** Loads the tokenizer of each folder once. The folders are those of the base models, so there are few. */
export interface Tokenizers {
  /** @throws TokenizerError; the next use tries again */
  of(folder: string): Promise<ChatTokenizer>
}

export function createTokenizers(): Tokenizers {
  const loaded = new Map<string, Promise<ChatTokenizer>>()
  return {
    of(folder) {
      const known = loaded.get(folder)
      if (known) return known
      const loading = loadTokenizer(folder)
      loaded.set(folder, loading)
      loading.catch(() => loaded.delete(folder))
      return loading
    },
  }
}
