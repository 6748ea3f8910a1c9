import { adminKeyPath, readAdminKey } from './admin-key-file.ts'
import type { Configuration } from './configuration.ts'
import { UsageError } from '../terminal/usage-error.ts'

/**
 * The key with which the command speaks to the server: the configured one, else the one in the data folder.
 * @throws UsageError when there is neither.
 */
export async function findApiKey({ apiKey, dataDir }: Pick<Configuration, 'apiKey' | 'dataDir'>): Promise<string> {
  const found = apiKey ?? (await readAdminKey(dataDir))
  if (found !== undefined) return found
  throw new UsageError(
    `no API key found: set HEDDLE_API_KEY, or run \`heddle serve\` once to create ${adminKeyPath(dataDir)} (use --data-dir for another folder)`,
  )
}
