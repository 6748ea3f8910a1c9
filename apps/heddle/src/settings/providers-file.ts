import { isJsonObject } from '@heddle/core-api/internal'
import { isPlainAddress } from '@heddle/outgoing'
import type { ModelProvider } from '@heddle/tracing'

export interface ProvidersFile {
  providers: ModelProvider[]
  /** Provider of models whose names begin with no other. */
  defaultName: string | undefined
}

/**
 * Reads `{"default": "<name>", "providers": {"<name>": {"base_url": "…", "api_key": "…"}}}`.
 * @throws Error that names what is wrong, without a key
 */
export function parseProviders(text: string): ProvidersFile {
  const content = parseObject(text)
  const byName = content['providers']
  if (!isJsonObject(byName)) throw new Error('"providers" must be an object')
  const providers = Object.entries(byName).map(([name, fields]) => toProvider(name, fields))
  const defaultName = content['default']
  if (defaultName === undefined || defaultName === null) return { providers, defaultName: undefined }
  const isKnown = providers.some(({ name }) => name === defaultName)
  if (!isKnown) throw new Error(`"default" must be one of ${Object.keys(byName).join(', ')}, got ${JSON.stringify(defaultName)}`)
  return { providers, defaultName: String(defaultName) }
}

function parseObject(text: string): Record<string, unknown> {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    // The words of the parser show a piece of the text, which may be a key.
    throw new Error('not valid JSON')
  }
  if (!isJsonObject(content)) throw new Error('not a JSON object')
  return content
}

function toProvider(name: string, fields: unknown): ModelProvider {
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name))
    throw new Error(`invalid provider name ${JSON.stringify(name)}; allowed are letters, digits and _.-`)
  if (!isJsonObject(fields)) throw new Error(`provider "${name}" must be an object`)
  const { base_url, api_key } = fields
  if (typeof base_url !== 'string' || !isPlainAddress(base_url))
    throw new Error(`"base_url" of provider "${name}" must start with http:// or https:// and have no credentials, query or fragment`)
  if (api_key !== undefined && api_key !== null && (typeof api_key !== 'string' || !/^[\x21-\x7e]+$/.test(api_key)))
    throw new Error(`"api_key" of provider "${name}" must be visible ASCII characters`)
  return { name, baseUrl: base_url.replace(/\/+$/, ''), apiKey: api_key ?? undefined }
}
