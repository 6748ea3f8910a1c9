import { formatTimestamp } from '@heddle/core-api'
import type { Cost } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import type { RowColumn, RowColumns } from '../../query/compile/select-rows.ts'
import type { CostRow } from './cost-row.ts'
import type { PriceDetails } from './price-tiers.ts'

type NameOf<T> = { [K in keyof CostRow]: CostRow[K] extends T ? K : never }[keyof CostRow]
type CostColumn = Exclude<keyof CostRow, 'details'>

const text = (name: NameOf<string>): RowColumn<CostRow> => ({ type: 'text', of: (row) => row[name] })
const price = (name: NameOf<number>): RowColumn<CostRow> => ({ type: 'double', of: (row) => row[name] })
const time = (name: NameOf<number>): RowColumn<CostRow> => ({ type: 'time', of: (row) => row[name] })

/** The columns by which prices are found and sorted. */
export const costColumns: RowColumns<CostRow> & Record<CostColumn, RowColumn<CostRow>> = {
  id: text('id'),
  pricing_level: text('pricing_level'),
  pricing_level_id: text('pricing_level_id'),
  provider_id: text('provider_id'),
  llm_id: text('llm_id'),
  effective_date: time('effective_date'),
  prompt_token_cost: price('prompt_token_cost'),
  completion_token_cost: price('completion_token_cost'),
  cache_read_input_token_cost: price('cache_read_input_token_cost'),
  cache_creation_input_token_cost: price('cache_creation_input_token_cost'),
  prompt_token_cost_unit: text('prompt_token_cost_unit'),
  completion_token_cost_unit: text('completion_token_cost_unit'),
  created_by: text('created_by'),
  created_at: time('created_at'),
}

/**
 * A function that shows the named columns of a price, and null for the rest. Null and no names: all, with further details of the price.
 * @throws ApiError 400 for a name that is not a column.
 */
export function createCostView(fields: readonly string[] | null): (row: CostRow) => Cost {
  const unknown = fields?.find((field) => !Object.hasOwn(costColumns, field))
  if (unknown !== undefined) throw badRequest(`Unknown field: ${unknown}. Known are ${Object.keys(costColumns).join(', ')}`)
  const isWhole = fields === null || fields.length === 0
  const isChosen = (field: string) => isWhole || fields.includes(field)
  const shown = <T>(field: string, value: T) => (isChosen(field) ? value : null)
  return (row) => ({
    id: shown('id', row.id),
    llm_id: shown('llm_id', row.llm_id),
    prompt_token_cost: shown('prompt_token_cost', row.prompt_token_cost),
    completion_token_cost: shown('completion_token_cost', row.completion_token_cost),
    prompt_token_cost_unit: shown('prompt_token_cost_unit', row.prompt_token_cost_unit),
    completion_token_cost_unit: shown('completion_token_cost_unit', row.completion_token_cost_unit),
    cache_read_input_token_cost: shown('cache_read_input_token_cost', row.cache_read_input_token_cost),
    cache_creation_input_token_cost: shown('cache_creation_input_token_cost', row.cache_creation_input_token_cost),
    effective_date: shown('effective_date', formatTimestamp(row.effective_date)),
    provider_id: shown('provider_id', row.provider_id),
    ...(isWhole && row.details !== null && shownDetails(row.details)),
  })
}

function shownDetails({ tiers, ...prices }: PriceDetails): Partial<Cost> {
  return {
    ...(prices as Partial<Cost>),
    ...(tiers.length > 0 && {
      tiers: tiers.map(({ service_tier, ...tier }) => ({ service_tier: service_tier || null, ...tier })) as Cost['tiers'],
    }),
  }
}
