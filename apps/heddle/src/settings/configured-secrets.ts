import { readFile } from 'node:fs/promises'
import { createSecretMask, type SecretMask } from '@heddle/outgoing'
import { readAdminKey } from './admin-key-file.ts'
import type { Configuration } from './configuration.ts'
import { parseProviders } from './providers-file.ts'
import { type Setting, settingKeys, settings } from './settings.ts'
import { parseHeaders } from './value-kinds.ts'

/** Characters of a header field from which it is treated as a credential. */
const minCredential = 16

/** The secrets that the settings themselves hold: keys and tokens, passwords in addresses, and the credentials of the bucket. */
export function secretsOf(configuration: Partial<Configuration>): string[] {
  const { blobsUrl, parquetUrl } = configuration
  const buckets = [blobsUrl, parquetUrl !== undefined && 'bucket' in parquetUrl ? parquetUrl.bucket : undefined]
  const ofSettings = settingKeys.flatMap((key) => {
    const { kind }: Setting<unknown> = settings[key]
    const value: unknown = configuration[key]
    if (typeof value === 'string') return kind.isSecret === true ? [value] : passwordsOf(value)
    return isAddressed(value) ? passwordsOf(value.url) : []
  })
  const ofBuckets = buckets.flatMap((bucket) => (bucket ? [bucket.accessKeyId, bucket.secretAccessKey, bucket.sessionToken] : []))
  const ofHeaders = Object.values(parseHeaders(configuration.telemetryHeaders ?? '') ?? {}).filter((value) => value.length >= minCredential)
  return [...ofSettings, ...ofBuckets, ...ofHeaders].filter((secret) => secret !== undefined)
}

/** The mask of every secret of the configuration: besides those of the settings, keys in the file of providers and the admin key of the data folder. */
export async function readSecretMask(configuration: Configuration): Promise<SecretMask> {
  const adminKey = await readAdminKey(configuration.dataDir).catch(() => undefined)
  const ofProviders = await keysInFile(configuration.providersFile)
  return createSecretMask([...secretsOf(configuration), ...ofProviders, ...(adminKey === undefined ? [] : [adminKey])])
}

/** The keys in the text of a file of providers. @throws UsageError where it is not valid */
export function keysOfProviders(text: string): string[] {
  return parseProviders(text).providers.flatMap(({ apiKey }) => apiKey ?? [])
}

/** None where the file cannot be used, which is reported by who needs it. */
async function keysInFile(path: string | undefined): Promise<string[]> {
  if (path === undefined) return []
  try {
    return keysOfProviders(await readFile(path, 'utf8'))
  } catch {
    return []
  }
}

function isAddressed(value: unknown): value is { url: string } {
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string'
}

/** The password of an address, also of one that is not valid, as it is written and as it is meant; for databases also that of its query. */
export function passwordsOf(text: string): string[] {
  if (!URL.canParse(text)) return /:\/\/[^/@\s]*:([^/\s]+)@/.exec(text)?.slice(1) ?? []
  const { password, searchParams } = new URL(text)
  return [password, decoded(password), searchParams.get('password') ?? ''].filter((secret) => secret !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
