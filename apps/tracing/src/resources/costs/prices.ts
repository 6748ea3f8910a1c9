import type { ProjectScope } from '@heddle/identity'
import type { CostsStore } from './costs-store.ts'
import type { PricesByModel } from './price-usage.ts'
import type { CostRow } from './cost-row.ts'

/** Finds what tokens of models may cost in a project: the prices of the project and those of the server. */
export type PricesFor = (project: ProjectScope, models: Iterable<string>) => Promise<PricesByModel>

/** The same of several projects, by their ids, in one look-up. */
export type PricesOfProjects = (projects: readonly ProjectScope[], models: Iterable<string>) => Promise<ReadonlyMap<string, PricesByModel>>

interface PricesDeps {
  costs: CostsStore
  /** Prices of level `default`. */
  defaults: readonly CostRow[]
}

export function createPrices({ costs, defaults }: PricesDeps) {
  const ofServer = groupBy(defaults, ({ llm_id }) => llm_id)

  const pricesOfProjects: PricesOfProjects = async (projects, models) => {
    const asked = [...new Set(models)]
    const found = groupBy(await costs.findByModels(projects, asked), ({ pricing_level_id }) => pricing_level_id)
    return new Map(
      projects.map(({ id }) => {
        const ofProject = groupBy(found.get(id) ?? [], ({ llm_id }) => llm_id)
        const prices = asked.flatMap((model) => {
          const rows = [...(ofProject.get(model) ?? []), ...(ofServer.get(model) ?? [])]
          return rows.length === 0 ? [] : [[model, rows] as const]
        })
        return [id, new Map(prices)]
      }),
    )
  }

  const prices: PricesFor = async (project, models) => (await pricesOfProjects([project], models)).get(project.id) ?? new Map()
  return { prices, pricesOfProjects }
}

function groupBy(rows: readonly CostRow[], keyOf: (row: CostRow) => string): Map<string, CostRow[]> {
  const groups = new Map<string, CostRow[]>()
  for (const row of rows) {
    const same = groups.get(keyOf(row))
    if (same === undefined) groups.set(keyOf(row), [row])
    else same.push(row)
  }
  return groups
}
