import { rebuildTraces } from '@heddle/tracing'
import { openStores } from '../server/stores.ts'
import { toStartError } from '../server/start/start-error.ts'
import type { Configuration } from '../settings/configuration.ts'
import { withSteps } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface RebuildDeps {
  configuration: Configuration
  terminal: Terminal
}

/** Computes again what is derived of the calls of all projects. @throws UsageError while a server holds the data folder */
export async function rebuildTracesCommand({ configuration, terminal }: RebuildDeps): Promise<void> {
  const ignore = () => undefined
  const options = {
    purpose: 'heddle rebuild traces',
    onEngineSocketReopened: ignore,
    onEngineRestart: ignore,
    onRefusedRows: ignore,
    onJournalDamage: ignore,
    onTableDamage: ignore,
    onDamage: ignore,
    onPartlyExamined: ignore,
  }
  const count = await withSteps(terminal, async (onStep) => {
    const onProgress = (done: number, total: number) =>
      onStep(`Settling traces: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`)
    const stores = await openStores({ configuration, ...options, onRebuild: onProgress }).catch((error: unknown) => {
      throw toStartError(error, configuration)
    })
    try {
      return await rebuildTraces({ analytical: stores.analytical, onProgress })
    } finally {
      await stores.close()
    }
  })
  terminal.note(`Settled ${count.toLocaleString('en')} ${count === 1 ? 'trace' : 'traces'}.`)
}
