import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import { EngineError, type TokenSequence } from '../../engine.ts'

/** @throws EngineError for a sequence that the model cannot take */
export function checkBatch(batch: readonly TokenSequence[], { contextLength, vocabularySize }: ModelConfig): void {
  for (const [index, { tokens, scored }] of batch.entries()) {
    if (scored.length !== tokens.length) {
      throw new EngineError('unsupported', `sequence ${index} has ${tokens.length} tokens and ${scored.length} marks of which are scored`)
    }
    if (tokens.length > contextLength) {
      throw new EngineError('too-large', `sequence ${index} has ${tokens.length} tokens; the model takes ${contextLength}`)
    }
    assertTokens(tokens, vocabularySize)
  }
}

/** @throws EngineError for a token that the vocabulary does not have */
export function assertTokens(tokens: Int32Array, vocabularySize: number): void {
  const wrong = tokens.find((token) => token < 0 || token >= vocabularySize)
  if (wrong !== undefined) throw new EngineError('unsupported', `token ${wrong} is outside the vocabulary; the model has ${vocabularySize}`)
}
