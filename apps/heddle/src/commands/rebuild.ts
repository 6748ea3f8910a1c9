import { rebuildTraces } from '@heddle/tracing'
import { openStoresForCommand } from '../server/open-stores-for-command.ts'
import type { Configuration } from '../settings/configuration.ts'
import { withSteps } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface RebuildDeps {
  configuration: Configuration
  terminal: Terminal
}

/** Recomputes the data derived from the calls of all projects. @throws UsageError while a server holds the data folder */
export async function rebuildTracesCommand({ configuration, terminal }: RebuildDeps): Promise<void> {
  const count = await withSteps(terminal, async (onStep) => {
    const onProgress = (done: number, total: number) =>
      onStep(`Settling traces: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
    const stores = await openStoresForCommand(configuration, { purpose: 'heddle rebuild traces', onRebuild: onProgress })
    try {
      return await rebuildTraces({ analytical: stores.analytical, onProgress })
    } finally {
      await stores.close()
    }
  })
  terminal.note(`Settled ${count.toLocaleString('en')} ${count === 1 ? 'trace' : 'traces'}.`)
}
