import { displayPrefix, hashApiKey, isUsable, newApiKey, toStoredKey, type IdentityStore } from '@heddle/identity'
import { adminKeyPath, readAdminKey, writeAdminKey } from '../../settings/admin-key-file.ts'
import { UsageError } from '../../terminal/usage-error.ts'

/** The id of the one key that comes from configuration. */
const configuredKeyId = 'configured'

export interface AdminKeyDeps {
  store: IdentityStore
  dataDir: string
  /** Microseconds since 1970. */
  clock: () => number
}

/** Where the person at the terminal finds a key. */
export type AdminKey = { source: 'configuration' } | { source: 'file'; path: string; isNew: boolean } | { source: 'none' }

/**
 * Sees to it that there is a key to begin with: the configured one, else the one in the data folder, which the first start makes.
 * A key that was revoked stays so. `none` when the admin key file is gone or revoked, and others are in use.
 * @throws UsageError when the configured key has been revoked.
 */
export async function ensureAdminKey(deps: AdminKeyDeps & { apiKey: string | undefined }): Promise<AdminKey> {
  if (deps.apiKey === undefined) {
    await forgetConfiguredKey(deps)
    return ensureKeyFile(deps)
  }
  await ensureConfiguredKey(deps, deps.apiKey)
  return { source: 'configuration' }
}

/** True when any key at all opens this server. */
export async function hasUsableKey({ store, clock }: Pick<AdminKeyDeps, 'store' | 'clock'>): Promise<boolean> {
  return (await store.listKeys()).some((key) => isUsable(key, clock()))
}

async function ensureConfiguredKey({ store, clock }: AdminKeyDeps, secret: string): Promise<void> {
  const known = await store.findKeyByHash(hashApiKey(secret))
  if (known?.revoked_at) {
    throw new UsageError(
      `the key in HEDDLE_API_KEY (${displayPrefix(secret)}…) has been revoked; set another key, or unset it to use the one in the data folder`,
    )
  }
  if (known) return
  const wanted = { name: 'HEDDLE_API_KEY', userId: 'admin', role: 'admin' } as const
  await store.putKey(toStoredKey(wanted, { secret, now: clock(), id: configuredKeyId }))
}

/** A key from the configuration is valid as long as it is configured. */
async function forgetConfiguredKey({ store }: AdminKeyDeps): Promise<void> {
  const key = await store.findKey(configuredKeyId)
  if (key && key.revoked_at === null) await store.deleteKey(configuredKeyId)
}

async function ensureKeyFile(deps: AdminKeyDeps): Promise<AdminKey> {
  const { store, dataDir, clock } = deps
  const path = adminKeyPath(dataDir)
  const written = await readAdminKey(dataDir)
  if (written === undefined && (await hasUsableKey(deps))) return { source: 'none' }
  const secret = written ?? newApiKey()
  const known = await store.findKeyByHash(hashApiKey(secret))
  if (known && !isUsable(known, clock())) return { source: 'none' }
  // The file first: a crash between the two leaves a file that the next start takes up.
  if (written === undefined) await writeAdminKey(dataDir, secret)
  if (!known) await store.putKey(toStoredKey({ name: 'admin', role: 'admin' }, { secret, now: clock() }))
  return { source: 'file', path, isNew: written === undefined }
}
