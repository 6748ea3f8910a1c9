import { join } from 'node:path'
import { loadTokenizer } from '../tokenizer/load-tokenizer.ts'
import { ChatTemplateError } from '../tokenizer/tokenizer-error.ts'
import { BaseModelError } from './base-model-error.ts'

/** Letters and digits that any text has. */
const probe = 'probe 42'

/**
 * Does once what each chat does: compiles the template and renders a message, encodes a text and decodes it again.
 * @throws BaseModelError or TokenizerError naming the file and the key that does not fit
 */
export async function checkTokenizer(folder: string): Promise<void> {
  const { encode, decode, render, vocabularySize } = await loadTokenizer(folder)
  const path = join(folder, 'tokenizer.json')
  const tokens = run(
    () => encode(probe),
    (reason) => `${path} cannot encode a text: ${reason}`,
  )
  const beyond = tokens.find((token) => token < 0 || token >= vocabularySize)
  if (beyond !== undefined) throw new BaseModelError(`"model.vocab" in ${path} has no token ${beyond}, which a text is encoded to`)
  const decoded = decode(tokens)
  if (lettersOf(decoded) !== lettersOf(probe)) {
    throw new BaseModelError(
      `"model" in ${path} encodes ${JSON.stringify(probe)} to tokens that are decoded to ${JSON.stringify(decoded.slice(0, 100))}`,
    )
  }
  run(
    () => render({ messages: [{ role: 'user', content: 'hi' }], addGenerationPrompt: true }),
    (reason) => `"chat_template" of ${folder} cannot render a message of a user: ${reason}`,
  )
}

/** Normalizers may change the case, and tokenizers add a space. */
const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

function run<T>(work: () => T, describe: (reason: string) => string): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof ChatTemplateError ? error.message : `unexpected: ${(error as Error).message}`
    throw new BaseModelError(describe(reason), { cause: error })
  }
}
