import type { ProjectScope } from '@heddle/identity'
import { asyncOnce } from '@heddle/service-kit'
import { groupBy } from '../../group-by.ts'
import type { CostsStore } from './costs-store.ts'
import { type PriceName, priceNames } from './price-names.ts'
import type { PricesByModel } from './price-usage.ts'
import type { CostRow } from './cost-row.ts'

/** Finds what tokens of models may cost in a project: the prices of the project and those of the server, of the first name that has some (`priceNames`). */
export type PricesFor = (project: ProjectScope, models: Iterable<string>) => Promise<PricesByModel>

/** The same of several projects, by their ids, in one look-up. */
export type PricesOfProjects = (projects: readonly ProjectScope[], models: Iterable<string>) => Promise<ReadonlyMap<string, PricesByModel>>

interface PricesDeps {
  costs: CostsStore
  /** Reads the prices of level `default`: once, when prices are first requested; again only if it failed. */
  readDefaults: () => Promise<readonly CostRow[]>
}

export function createPrices({ costs, readDefaults }: PricesDeps) {
  const pricesOfServer = asyncOnce(async () => groupBy(await readDefaults(), ({ llm_id }) => llm_id))

  const pricesOfProjects: PricesOfProjects = async (projects, models) => {
    const formsByModel = new Map([...new Set(models)].map((model) => [model, priceNames(model)]))
    const names = new Set([...formsByModel.values()].flatMap((forms) => forms.map(({ name }) => name)))
    const [rows, defaults] = await Promise.all([costs.findByModels(projects, [...names]), pricesOfServer()])
    const found = groupBy(rows, ({ pricing_level_id }) => pricing_level_id)
    return new Map(
      projects.map(({ id }) => {
        const ofProject = groupBy(found.get(id) ?? [], ({ llm_id }) => llm_id)
        const rowsOf = ({ name, providers }: PriceName) => [
          ...(ofProject.get(name) ?? []),
          ...(defaults.get(name) ?? []).filter(({ provider_id }) => providers?.includes(provider_id) ?? true),
        ]
        const prices = [...formsByModel].flatMap(([model, forms]) => {
          const rows = forms.map(rowsOf).find(({ length }) => length > 0)
          return rows === undefined ? [] : [[model, rows] as const]
        })
        return [id, new Map(prices)]
      }),
    )
  }
  const prices: PricesFor = async (project, models) => (await pricesOfProjects([project], models)).get(project.id) ?? new Map()
  return { prices, pricesOfProjects }
}
