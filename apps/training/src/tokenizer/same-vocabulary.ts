import { readModelJson } from './model-files.ts'

/** Whether each token id means the same text in two folders of models. @throws TokenizerError for a folder without a readable `tokenizer.json` */
export async function haveSameVocabulary(folder: string, other: string): Promise<boolean> {
  if (folder === other) return true
  const [one, two] = await Promise.all([vocabularyOf(folder), vocabularyOf(other)])
  return one.size === two.size && [...one].every(([id, text]) => two.get(id) === text)
}

/** Texts of tokens by their ids; added tokens in the place of those of the model. */
async function vocabularyOf(folder: string): Promise<Map<number, string>> {
  const { model, added_tokens: added } = await readModelJson(folder, 'tokenizer.json')
  const vocabulary = (model as { vocab?: unknown } | undefined)?.vocab
  const texts = new Map<number, string>()
  // Unigram models list texts with scores, in the order of their ids.
  if (Array.isArray(vocabulary)) for (const [id, entry] of vocabulary.entries()) texts.set(id, String((entry as unknown[])[0]))
  else for (const [text, id] of Object.entries((vocabulary ?? {}) as Record<string, number>)) texts.set(id, text)
  for (const { id, content } of (added ?? []) as { id: number; content: string }[]) texts.set(id, content)
  return texts
}
