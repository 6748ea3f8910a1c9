import type { Configuration } from '../settings/configuration.ts'
import { toStartError } from './start/start-error.ts'
import { openStores, type Stores, type StoresOptions } from '../stores/stores.ts'

/** Opens the stores for a command that works without a server and ignores their events. @throws UsageError while a server holds the data folder */
export async function openStoresForCommand(
  configuration: Configuration,
  options: Pick<StoresOptions, 'purpose' | 'acceptsStores' | 'onRebuild'>,
): Promise<Stores> {
  const ignore = () => undefined
  const events = {
    onEngineSocketReopened: ignore,
    onEngineRestart: ignore,
    onRefusedRows: ignore,
    onJournalDamage: ignore,
    onTableDamage: ignore,
    onDamage: ignore,
    onPartlyExamined: ignore,
  }
  return openStores({ configuration, ...events, ...options }).catch((error: unknown) => {
    throw toStartError(error, configuration)
  })
}
