import type { ProjectScope } from '@heddle/identity'
import type { CostsStore } from './costs-store.ts'
import type { PricesByModel } from './price-usage.ts'
import type { CostRow } from './cost-row.ts'

/** Finds what tokens of models may cost in a project: the prices of the project and those of the server. */
export type PricesFor = (project: ProjectScope, models: Iterable<string>) => Promise<PricesByModel>

interface PricesDeps {
  costs: CostsStore
  /** Prices of level `default`. */
  defaults: readonly CostRow[]
}

export function createPrices({ costs, defaults }: PricesDeps): PricesFor {
  const ofServer = byModel(defaults)
  return async (project, models) => {
    const asked = [...new Set(models)]
    const ofProject = byModel(await costs.findByModels(project, asked))
    return new Map(
      asked.flatMap((model) => {
        const rows = [...(ofProject.get(model) ?? []), ...(ofServer.get(model) ?? [])]
        return rows.length === 0 ? [] : [[model, rows] as const]
      }),
    )
  }
}

function byModel(rows: readonly CostRow[]): Map<string, CostRow[]> {
  const models = new Map<string, CostRow[]>()
  for (const row of rows) {
    const same = models.get(row.llm_id)
    if (same === undefined) models.set(row.llm_id, [row])
    else same.push(row)
  }
  return models
}
