import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import { linearNames, linearShape, tensorNames } from '../checkpoint-files/model-tensors.ts'

export interface ExpectedTensor {
  name: string
  shape: readonly number[]
}

/** The tensors that the weights of a Llama model consist of, with their shapes in files. */
export function expectedTensors(config: ModelConfig): ExpectedTensor[] {
  const { vocabularySize, width } = config
  const embedding = [vocabularySize, width]
  const layers = Array.from({ length: config.layers }, (_, layer) => [
    { name: tensorNames.attentionNorm(layer), shape: [width] },
    { name: tensorNames.feedForwardNorm(layer), shape: [width] },
    ...linearNames.map((name) => ({ name: tensorNames.linear(layer, name), shape: linearShape(config, name).toReversed() })),
  ])
  return [
    { name: tensorNames.embedding, shape: embedding },
    { name: tensorNames.finalNorm, shape: [width] },
    ...(config.tiedEmbeddings ? [] : [{ name: tensorNames.head, shape: embedding }]),
    ...layers.flat(),
  ]
}
