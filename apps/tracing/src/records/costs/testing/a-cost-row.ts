import type { CostRow } from '../cost-row.ts'

/** A price with nothing in it but what the test names. */
export function aCostRow(over: Partial<CostRow> = {}): CostRow {
  return {
    id: 'c',
    pricing_level: 'project',
    pricing_level_id: 'e/p',
    provider_id: 'default',
    llm_id: 'm',
    effective_date: 0,
    prompt_token_cost: 0,
    completion_token_cost: 0,
    cache_read_input_token_cost: 0,
    cache_creation_input_token_cost: 0,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    created_by: 'u',
    created_at: 0,
    details: null,
    ...over,
  }
}
