import type { CostInput, Micros } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/** Prices of one token, in their units. */
export interface TokenPrices {
  prompt_token_cost: number
  completion_token_cost: number
  cache_read_input_token_cost: number
  cache_creation_input_token_cost: number
}

/** The price of a model from a date on. */
export interface CostRow extends TokenPrices {
  id: string
  /** `default` for what came with the server. */
  pricing_level: 'project' | 'default'
  /** The project, or `default`. */
  pricing_level_id: string
  provider_id: string
  /** Model name, compared exactly. */
  llm_id: string
  effective_date: Micros
  prompt_token_cost_unit: string
  completion_token_cost_unit: string
  created_by: string
  created_at: Micros
}

/** Who makes rows, for which project, and what a rule cannot know by itself. */
export interface CostStamp {
  project_id: string
  created_by: string
  now: Micros
  newId: () => string
}

/** Builds one row per model, in the order of the request. @throws ApiError 400 for a text that is too long or holds NUL. */
export function toCostRows(costs: Readonly<Record<string, CostInput>>, { project_id, created_by, now, newId }: CostStamp): CostRow[] {
  return Object.entries(costs).map(([llm_id, { provider_id, effective_date, ...prices }]) => {
    const row: CostRow = {
      ...prices,
      id: newId(),
      pricing_level: 'project',
      pricing_level_id: project_id,
      provider_id: provider_id || 'default',
      llm_id,
      effective_date: effective_date ?? now,
      created_by,
      created_at: now,
    }
    checkTexts(row)
    return row
  })
}

const maxLength = 512
const texts = ['llm_id', 'provider_id', 'prompt_token_cost_unit', 'completion_token_cost_unit'] as const

function checkTexts(row: CostRow): void {
  for (const name of texts) {
    const value = row[name]
    const fault = value.length > maxLength ? `has ${value.length} characters, at most ${maxLength} are allowed` : 'holds a NUL character'
    if (value.length > maxLength || value.includes('\0')) throw badRequest(`${name} ${JSON.stringify(value.slice(0, 80))} ${fault}`)
  }
}
