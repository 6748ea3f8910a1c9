import { readFile } from 'node:fs/promises'
import { createOutgoing, type Outgoing, parseAllowedTargets } from '@heddle/outgoing'
import {
  type Catalogue,
  createModelProviders,
  emptyCatalogue,
  fileCatalogue,
  type ModelProvider,
  type ModelProviders,
  urlCatalogue,
} from '@heddle/tracing'
import type { Configuration } from '../settings/configuration.ts'
import { parseProviders, type ProvidersFile } from '../settings/providers-file.ts'
import type { ServerLog } from '../log/server-log.ts'
import { readSecretMask } from '../settings/configured-secrets.ts'
import { systemClock } from '../process/system-clock.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

/** External services: model providers, the model catalogue and the HTTP client that calls them. */
export interface ExternalServices {
  outgoing: Outgoing
  providers: ModelProviders
  catalogue: Catalogue
  /** Hosts and ports of the services that the operator has configured. */
  serviceHosts: readonly string[]
}

const openAiBaseUrl = 'https://api.openai.com/v1'

/** @throws UsageError when the file of providers cannot be used */
export async function openExternalServices(configuration: Configuration, logger: Pick<ServerLog, 'warn'>): Promise<ExternalServices> {
  const { allowedHosts, inferenceCatalogue, trainingEngineUrl, samplerUrl } = configuration
  const file = await readProviders(configuration.providersFile)
  const providers = [...file.providers, ...openAiOf(configuration, file)]
  const catalogueUrl = inferenceCatalogue?.kind === 'url' ? [inferenceCatalogue.url] : []
  // Hosts that the operator configured are allowed even on private addresses.
  const modelServers = [trainingEngineUrl, samplerUrl].filter((url) => url !== undefined)
  const named = [...providers.map(({ baseUrl }) => baseUrl), ...catalogueUrl, ...modelServers].map(hostOf)
  const secrets = await readSecretMask(configuration)
  const outgoing = createOutgoing({ allowed: parseAllowedTargets([...allowedHosts, ...named]), secrets })
  return {
    outgoing,
    serviceHosts: [...new Set(named)],
    providers: createModelProviders(providers, file.defaultName ?? providers.find(({ name }) => name === 'openai')?.name),
    catalogue: openCatalogue(configuration, { outgoing, logger }),
  }
}

/** Absent from the file, OpenAI is there as soon as it has a key or its own address. */
function openAiOf({ openaiApiKey, openaiBaseUrl }: Configuration, file: ProvidersFile): ModelProvider[] {
  const isMeant = openaiApiKey !== undefined || openaiBaseUrl !== undefined
  if (!isMeant || file.providers.some(({ name }) => name === 'openai')) return []
  return [{ name: 'openai', baseUrl: openaiBaseUrl ?? openAiBaseUrl, apiKey: openaiApiKey }]
}

async function readProviders(path: string | undefined): Promise<ProvidersFile> {
  if (path === undefined) return { providers: [], defaultName: undefined }
  try {
    return parseProviders(await readFile(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`cannot load model providers from ${path} (HEDDLE_PROVIDERS_FILE): ${messageOf(error)}`)
  }
}

function openCatalogue(
  { inferenceCatalogue }: Configuration,
  { outgoing, logger }: { outgoing: Outgoing; logger: Pick<ServerLog, 'warn'> },
): Catalogue {
  const onProblem = (problem: string, error?: unknown) => logger.warn({ err: error }, `model catalogue: ${problem}`)
  if (inferenceCatalogue === undefined) return emptyCatalogue
  if (inferenceCatalogue.kind === 'file') return fileCatalogue({ path: inferenceCatalogue.path, onProblem })
  return urlCatalogue({ url: inferenceCatalogue.url, outgoing, clock: systemClock, onProblem })
}

/** Host and port, as the list of allowed ones has them. */
export function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address)
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`
}
