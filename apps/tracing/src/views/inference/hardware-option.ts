import type { HardwareOption, InferenceModel } from '@heddle/core-api/types'

/** True if a model is named by its name without the publisher, ignoring case. */
export function isNamed({ id }: InferenceModel, name: string): boolean {
  return id.slice(id.lastIndexOf('/') + 1).toLowerCase() === name.toLowerCase()
}

/** How to run a model without one's own machine. */
export function toHardwareOption({ id, name, pricing, quantization }: InferenceModel): HardwareOption {
  return {
    id,
    name,
    type: 'serverless',
    pricing: {
      cents_per_million_input_tokens: centsPerMillion(pricing.prompt),
      cents_per_million_output_tokens: centsPerMillion(pricing.completion),
    },
    specs: { quantization },
  }
}

/** The point moves by eight digits; as text, so that no digit is lost on the way. */
function centsPerMillion(dollars: string): number {
  return Number(`${dollars}e8`)
}
