import type { ScopedDatabase, Tables } from '@heddle/datastore'
import type { Transaction } from 'kysely'
import type { CreatedLink, NewLink, RegistryStore } from './registry-store.ts'

export function sqlRegistryStore(database: ScopedDatabase): RegistryStore {
  return {
    link: (registry, link) =>
      database
        .of(registry)
        .transaction()
        .execute(async (transaction) => {
          const place = { project_id: registry.id, portfolio_name: link.portfolio_name }
          const links = await lockPortfolio(transaction, place)
          const made = (await findLink(transaction, place, link)) ?? (await addLink(transaction, { ...place, version_index: links }, link))
          await replaceAliases(transaction, { ...place, version_index: made.version_index }, link.aliases)
          return made
        }),
  }
}

interface Portfolio {
  project_id: string
  portfolio_name: string
}
type Place = Portfolio & { version_index: number }

/** Makes concurrent linkers to one collection wait for each other. Returns the number of its links. */
async function lockPortfolio(transaction: Transaction<Tables>, portfolio: Portfolio): Promise<number> {
  const { links } = await transaction
    .insertInto('registry_portfolios')
    .values({ ...portfolio, links: 0 })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'portfolio_name']).doUpdateSet((set) => ({ portfolio_name: set.ref('excluded.portfolio_name') })),
    )
    .returning('links')
    .executeTakeFirstOrThrow()
  return links
}

async function findLink(
  transaction: Transaction<Tables>,
  { project_id, portfolio_name }: Portfolio,
  { source }: NewLink,
): Promise<CreatedLink | undefined> {
  return transaction
    .selectFrom('registry_links')
    .select(['version_index', 'wb_user_id', 'created_at'])
    .where('project_id', '=', project_id)
    .where('portfolio_name', '=', portfolio_name)
    .where('source_project_id', '=', source.project.id)
    .where('object_id', '=', source.object_id)
    .where('digest', '=', source.digest)
    .executeTakeFirst()
}

async function addLink(transaction: Transaction<Tables>, place: Place, { source, wb_user_id, at }: NewLink): Promise<CreatedLink> {
  const { object_id, digest } = source
  await transaction
    .insertInto('registry_links')
    .values({ ...place, source_project_id: source.project.id, object_id, digest, wb_user_id, created_at: at })
    .execute()
  await transaction
    .updateTable('registry_portfolios')
    .set({ links: place.version_index + 1 })
    .where('project_id', '=', place.project_id)
    .where('portfolio_name', '=', place.portfolio_name)
    .execute()
  return { version_index: place.version_index, wb_user_id, created_at: at }
}

async function replaceAliases(transaction: Transaction<Tables>, place: Place, aliases: readonly string[]): Promise<void> {
  await transaction
    .deleteFrom('registry_aliases')
    .where('project_id', '=', place.project_id)
    .where('portfolio_name', '=', place.portfolio_name)
    .where('version_index', '=', place.version_index)
    .execute()
  if (aliases.length === 0) return
  await transaction
    .insertInto('registry_aliases')
    .values([...new Set(aliases)].map((alias) => ({ ...place, alias })))
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'portfolio_name', 'alias'])
        .doUpdateSet((set) => ({ version_index: set.ref('excluded.version_index') })),
    )
    .execute()
}
