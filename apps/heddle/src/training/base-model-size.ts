import type { training } from '@heddle/core-api'
import type { z } from 'zod'

type BaseModel = z.output<typeof training.baseModels.list.output>['data'][number]

/** Its weights, where they are known, and its context. */
export function sizeText({ parameters, context_length: tokens }: Pick<BaseModel, 'parameters' | 'context_length'>): string {
  return parameters === null ? `${tokens} tokens` : `${parameters} weights, ${tokens} tokens`
}
