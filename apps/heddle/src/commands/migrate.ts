import { openStoresForCommand } from '../server/open-stores-for-command.ts'
import type { Configuration } from '../settings/configuration.ts'
import { version } from '../settings/version.ts'
import { withSteps } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface MigrateDeps {
  configuration: Configuration
  terminal: Terminal
}

/**
 * Creates the stores, or migrates them to this version, and closes them. Stores of this version stay as they are. Servers on the same ClickHouse and
 * PostgreSQL may serve meanwhile.
 * @throws UsageError while a server holds the data folder, for stores of a newer version, and for stores that do not belong together
 */
export async function migrate({ configuration, terminal }: MigrateDeps): Promise<void> {
  await withSteps(terminal, async (onStep) => {
    const onRebuild = (done: number, total: number) =>
      onStep(`Settling traces: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
    const stores = await openStoresForCommand(configuration, { purpose: 'heddle migrate', onRebuild })
    await stores.close()
  })
  terminal.note(`The stores are ready for Heddle ${version}.`)
}
