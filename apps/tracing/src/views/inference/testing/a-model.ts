import type { InferenceModel } from '@heddle/core-api/types'

export function aModel(model: Partial<InferenceModel> = {}): InferenceModel {
  return {
    id: 'acme/Loom-7B',
    name: 'Loom 7B',
    created: 1_750_000_000,
    input_modalities: ['text'],
    output_modalities: ['text'],
    quantization: 'bf16',
    context_length: 32_768,
    max_output_length: 8_192,
    pricing: { prompt: '0.00000035', completion: '0.0000014', image: '0', request: '0', input_cache_read: '0.000000035' },
    supported_sampling_parameters: ['temperature', 'seed'],
    supported_features: ['tools'],
    datacenters: [{ country_code: 'FI' }],
    ...model,
  }
}
