import { type Analytical, checkAllParts, detachPart } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'
import { openStoresForCommand } from '../server/open-stores-for-command.ts'

/**
 * Gives relational data, tables and blobs the id of one store, after one of them was lost and the operator continues with the others, and accepts the
 * relational data without acknowledged commits that are missing from it. Parts of tables of the embedded engine that cannot be read are set aside, with their files.
 * @throws UsageError while a server holds the data folder
 */
export async function repairStores(configuration: Configuration): Promise<void> {
  const stores = await openStoresForCommand(configuration, { purpose: 'heddle doctor --repair', acceptsStores: true })
  try {
    // On a cluster a part would be set aside on all replicas, also on those where it is whole.
    if (configuration.clickhouseUrl === undefined) await setDamagedPartsAside(stores.analytical)
  } finally {
    await stores.close()
  }
}

/** The files stay in the folder `detached` of their table. */
async function setDamagedPartsAside(analytical: Analytical): Promise<void> {
  for await (const { table, part, reason } of checkAllParts(analytical.stored))
    if (reason !== undefined) await detachPart(analytical, { table, part })
}
