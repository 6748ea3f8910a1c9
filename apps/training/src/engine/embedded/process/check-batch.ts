import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import { EngineError, type Targets, type TrainedSequence } from '../../engine.ts'

/** @throws EngineError for a sequence that the model cannot take */
export function checkBatch(batch: readonly TrainedSequence[], { contextLength, vocabularySize }: ModelConfig): void {
  for (const [index, { tokens, scored, targets }] of batch.entries()) {
    if (scored.length !== tokens.length) {
      throw new EngineError('unsupported', `sequence ${index} has ${tokens.length} tokens and ${scored.length} marks of which are scored`)
    }
    if (tokens.length > contextLength) {
      throw new EngineError('too-large', `sequence ${index} has ${tokens.length} tokens; the model takes ${contextLength}`)
    }
    assertTokens(tokens, vocabularySize)
    if (targets) assertTargets(targets, { index, length: tokens.length, vocabularySize })
  }
}

function assertTargets(
  { positions, tokens }: Targets,
  { index, length, vocabularySize }: { index: number; length: number; vocabularySize: number },
): void {
  const isInOrder = positions.every((position, at) => position >= (positions[at - 1] ?? 1) && position <= length)
  if (positions.length !== tokens.length || !isInOrder)
    throw new EngineError('unsupported', `the targets of sequence ${index} are not in the order of its ${length} tokens`)
  assertTokens(tokens, vocabularySize)
}

/** @throws EngineError for a token that the vocabulary does not have */
export function assertTokens(tokens: Int32Array, vocabularySize: number): void {
  const wrong = tokens.find((token) => token < 0 || token >= vocabularySize)
  if (wrong !== undefined) throw new EngineError('unsupported', `token ${wrong} is outside the vocabulary; the model has ${vocabularySize}`)
}
