import type { Micros } from '@heddle/core-api'
import type { CostInput, PriceTier as SentTier } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import { timeSlices } from '@heddle/service-kit'
import { toServiceTier } from '@heddle/trace-model'
import { type DetailPrices, detailPriceNames, type PriceDetails, type PriceTier, type TokenPrices } from './price-tiers.ts'

/** The price of a model from a date on. */
export interface CostRow extends TokenPrices {
  id: string
  /** `default` for prices shipped with the server. */
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
  /** Null for a price that is the same for all tokens of a side and all requests. */
  details: PriceDetails | null
}

/** Author and project of new rows, and the values that a pure rule cannot derive. */
export interface CostStamp {
  project_id: string
  created_by: string
  now: Micros
  newId: () => string
}

/**
 * Builds one row per model, in the order of the request, yielding to other work.
 * @throws ApiError 400 for a text that is too long or contains NUL, and for tiers that contradict each other.
 */
export async function toCostRows(
  costs: Readonly<Record<string, CostInput>>,
  { project_id, created_by, now, newId }: CostStamp,
): Promise<CostRow[]> {
  const rows: CostRow[] = []
  const pace = timeSlices.begin()
  for (const [llm_id, { provider_id, effective_date, ...prices }] of Object.entries(costs)) {
    const turn = pace()
    if (turn) await turn
    const row: CostRow = {
      prompt_token_cost: prices.prompt_token_cost,
      completion_token_cost: prices.completion_token_cost,
      cache_read_input_token_cost: prices.cache_read_input_token_cost,
      cache_creation_input_token_cost: prices.cache_creation_input_token_cost,
      prompt_token_cost_unit: prices.prompt_token_cost_unit,
      completion_token_cost_unit: prices.completion_token_cost_unit,
      id: newId(),
      pricing_level: 'project',
      pricing_level_id: project_id,
      provider_id: provider_id || 'default',
      llm_id,
      effective_date: effective_date ?? now,
      created_by,
      created_at: now,
      details: toDetails(llm_id, prices),
    }
    checkTexts(row)
    rows.push(row)
  }
  return rows
}

type Optional<T> = { [K in keyof T]?: T[K] | null | undefined }

type SentDetails = Optional<Pick<CostInput, keyof DetailPrices>> & { tiers?: readonly Optional<SentTier>[] | null | undefined }

/**
 * The stored details of a price, without unstated ones. Null if none is stated.
 * @throws ApiError 400 for two tiers that apply to the same requests, and for a service tier that no call can name.
 */
export function toDetails(model: string, sent: SentDetails): PriceDetails | null {
  const tiers = (sent.tiers ?? []).map((tier): PriceTier => {
    const { service_tier, above_input_tokens = null, prompt_token_cost, completion_token_cost, ...others } = tier
    const word = service_tier ?? ''
    const name = toServiceTier(word)
    if (name === '' && word !== '' && word !== 'default' && word !== 'standard')
      throw badRequest(
        `The price of ${JSON.stringify(model.slice(0, 80))} has a tier for service_tier ${JSON.stringify(word.slice(0, 80))}, which no call names: use flex, priority, batch or another word of up to 32 lower-case letters, digits, - and _, and null for the plain service`,
      )
    return {
      service_tier: name,
      above_input_tokens: above_input_tokens ?? 0,
      ...stated({ prompt_token_cost, completion_token_cost }),
      ...stated(others),
    }
  })
  const keys = tiers.map(
    ({ service_tier, above_input_tokens }) => `${service_tier || 'the plain service'} above ${above_input_tokens} tokens`,
  )
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw badRequest(`The price of ${JSON.stringify(model.slice(0, 80))} has two tiers for ${twice}: leave one out`)
  const details = stated(Object.fromEntries(detailPriceNames.map((name) => [name, sent[name]])))
  return tiers.length === 0 && Object.keys(details).length === 0 ? null : { ...details, tiers }
}

function stated(prices: Readonly<Record<string, number | null | undefined>>): Record<string, number> {
  return Object.fromEntries(Object.entries(prices).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
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
