import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { maxIngestedBytesPerDay, maxRequestsPerMinute } from '@heddle/core-api/internal'
import { parseAllowedTargets } from '@heddle/outgoing'
import { parseBasePath } from './base-path.ts'
import { type BlobsBucket, parseBlobsUrl } from './blobs-url.ts'
import { isPlainAddress } from './providers-file.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** What an operator decides. Every value has been checked. */
export interface Configuration {
  /** Address to listen on, and to reach the server at. */
  host: string
  /** 0 picks a free port. */
  port: number
  /** Path under which browsers see the server, without a slash at the end; `''`: the root. The server answers with it and without. */
  basePath: string
  /** Where commands reach the server, without a slash at the end; undefined: at `host`, `port` and `basePath`. */
  url: string | undefined
  /** Absolute path of the folder that holds everything the server keeps. */
  dataDir: string
  /** Secret of the admin key; undefined when the one in the data folder is used. */
  apiKey: string | undefined
  /** Undefined: the engine that comes with the server. */
  clickhouseUrl: string | undefined
  /** Undefined: a file in the data folder. */
  databaseUrl: string | undefined
  /** Absolute path of a file of token prices; undefined: those that come with the server. */
  pricesFile: string | undefined
  /** Undefined: files in the data folder. */
  blobsUrl: BlobsBucket | undefined
  /** The service that is served; undefined: both. */
  only: 'tracing' | 'training' | undefined
  /** True: the health of the training service needs no API key. */
  hasOpenHealth: boolean
  /** Bytes of a request, on the wire and unpacked. */
  maxRequestBytes: number
  /** Requests a minute that each project may get at most; undefined: as many as it has set itself, if it has. */
  requestsPerMinute: number | undefined
  /** The same with one API key. */
  requestsPerMinutePerKey: number | undefined
  /** Bytes of writes of a day, in UTC, that each project may get at most; undefined as with requests. */
  ingestedBytesPerDay: number | undefined
  /** True: texts under names such as `api_key` are stored as `REDACTED`. */
  masksCredentials: boolean
  /** True: traces may be shared with people without a key. */
  publicLinks: boolean
  /** What becomes of a span whose attribute names contradict each other. */
  spanConflicts: 'keep' | 'reject'
  /** Whether the words of payloads are indexed; undefined leaves the store as it is. */
  textIndex: 'on' | 'off' | undefined
  /** Secret for the provider called `openai`. */
  openaiApiKey: string | undefined
  /** Address of that provider, without a slash at its end; undefined for its own. */
  openaiBaseUrl: string | undefined
  /** Absolute path of a file with more providers of models. */
  providersFile: string | undefined
  /** True: `{column}` in the messages of a model that the server evaluates becomes the value of the row. */
  fillsPrompts: boolean
  /** Where the models of the listings stand; undefined for none. */
  inferenceCatalogue: CatalogueSource | undefined
  /** Absolute path of a folder with more models to train from, one folder a model; undefined for those that come with Heddle alone. */
  baseModelsDir: string | undefined
  /** Address of a server that runs and trains models, without a slash at its end; undefined for the engine of this machine. */
  trainingEngineUrl: string | undefined
  /** Secret for that server. */
  trainingEngineApiKey: string | undefined
  /** Absolute path of a file that says how to start such a server on a cluster; undefined when it is started by others, or not at all. */
  trainingLauncherFile: string | undefined
  /** Secret for the API of that cluster. */
  trainingLauncherToken: string | undefined
  /** Bytes of an archive of weights that is imported, packed and unpacked. */
  maxCheckpointBytes: number
  /** Memory of the engine of this machine, for all weights, caches and training together. */
  trainingMemoryBytes: number
  /** Threads with which that engine trains; undefined: the cores, at most 4. */
  trainingThreads: number | undefined
  /** Milliseconds in which the weights of a chat completion are loaded. */
  chatLoadingMs: number
  /** Milliseconds that a chat completion may go without progress. */
  chatStallMs: number
  /** Milliseconds that a chat completion may take. */
  chatTotalMs: number
  /** Hosts, IP addresses and subnets that may be asked although they are not on the public internet. */
  allowedHosts: readonly string[]
}

export type CatalogueSource = { kind: 'file'; path: string } | { kind: 'url'; url: string }

export interface Setting {
  key: keyof Configuration
  variable: string
  flag: string
  help: string
}

/** Every setting, once: its variable, its flag and its line in the help. */
export const settings: readonly Setting[] = [
  { key: 'host', variable: 'HEDDLE_HOST', flag: '--host <address>', help: 'address to listen on (default: 127.0.0.1)' },
  { key: 'port', variable: 'HEDDLE_PORT', flag: '--port <number>', help: 'port to listen on, 0 for any free port (default: 7400)' },
  {
    key: 'basePath',
    variable: 'HEDDLE_BASE_PATH',
    flag: '--base-path <path>',
    help: 'path under which browsers see the server behind a reverse proxy, such as /heddle (default: none)',
  },
  {
    key: 'url',
    variable: 'HEDDLE_BASE_URL',
    flag: '--url <url>',
    help: 'base URL of the server, also that of a proxy before it (default: from --host, --port and --base-path)',
  },
  { key: 'dataDir', variable: 'HEDDLE_DATA_DIR', flag: '--data-dir <path>', help: 'folder for all data (default: ~/.heddle)' },
  {
    key: 'apiKey',
    variable: 'HEDDLE_API_KEY',
    flag: '--api-key <key>',
    help: 'admin API key; use the variable to keep it out of process lists',
  },
  {
    key: 'clickhouseUrl',
    variable: 'HEDDLE_CLICKHOUSE_URL',
    flag: '--clickhouse-url <url>',
    help: 'URL of a ClickHouse server (default: embedded engine)',
  },
  {
    key: 'databaseUrl',
    variable: 'HEDDLE_DATABASE_URL',
    flag: '--database-url <url>',
    help: 'URL of a PostgreSQL server (default: SQLite in the data folder)',
  },
  {
    key: 'pricesFile',
    variable: 'HEDDLE_PRICES_FILE',
    flag: '--prices-file <path>',
    help: 'JSON file with token prices (default: built-in prices)',
  },
  {
    key: 'blobsUrl',
    variable: 'HEDDLE_BLOBS_URL',
    flag: '--blobs-url <url>',
    help: 'bucket for file contents, such as s3://bucket/prefix?region=eu-west-1 (default: the data folder)',
  },
  {
    key: 'only',
    variable: 'HEDDLE_ONLY',
    flag: '--only <tracing|training>',
    help: 'serve one of the services (default: both)',
  },
  {
    key: 'hasOpenHealth',
    variable: 'HEDDLE_OPEN_HEALTH',
    flag: '--open-health <on|off>',
    help: 'answer GET /v1/health without an API key, for load balancers (default: off)',
  },
  {
    key: 'maxRequestBytes',
    variable: 'HEDDLE_MAX_REQUEST_BYTES',
    flag: '--max-request-bytes <number>',
    help: 'maximum size of a request body (default: 33554432)',
  },
  {
    key: 'requestsPerMinute',
    variable: 'HEDDLE_REQUESTS_PER_MINUTE',
    flag: '--requests-per-minute <number>',
    help: 'maximum requests of each project in 60 s (default: no limit, unless the project has one)',
  },
  {
    key: 'requestsPerMinutePerKey',
    variable: 'HEDDLE_KEY_REQUESTS_PER_MINUTE',
    flag: '--key-requests-per-minute <number>',
    help: 'maximum requests of each API key to one project in 60 s (default: no limit, unless the project has one)',
  },
  {
    key: 'ingestedBytesPerDay',
    variable: 'HEDDLE_INGESTED_BYTES_PER_DAY',
    flag: '--ingested-bytes-per-day <number>',
    help: 'maximum bytes of writes of each project on a day in UTC (default: no limit, unless the project has one)',
  },
  {
    key: 'masksCredentials',
    variable: 'HEDDLE_MASK_CREDENTIALS',
    flag: '--mask-credentials <on|off>',
    help: 'store the values of keys such as api_key as REDACTED (default: on)',
  },
  {
    key: 'spanConflicts',
    variable: 'HEDDLE_SPAN_CONFLICTS',
    flag: '--span-conflicts <keep|reject>',
    help: 'what to do with a span whose attribute names conflict, such as a and a.b (default: keep)',
  },
  {
    key: 'textIndex',
    variable: 'HEDDLE_TEXT_INDEX',
    flag: '--text-index <on|off>',
    help: 'index the words of inputs and outputs for $contains (default: unchanged, initially off)',
  },
  {
    key: 'openaiApiKey',
    variable: 'HEDDLE_OPENAI_API_KEY',
    flag: '--openai-api-key <key>',
    help: 'API key for OpenAI; use the variable to keep it out of process lists',
  },
  {
    key: 'openaiBaseUrl',
    variable: 'HEDDLE_OPENAI_BASE_URL',
    flag: '--openai-base-url <url>',
    help: 'base URL of OpenAI or of a compatible server (default: https://api.openai.com/v1)',
  },
  {
    key: 'providersFile',
    variable: 'HEDDLE_PROVIDERS_FILE',
    flag: '--providers-file <path>',
    help: 'JSON file with additional model providers (default: none)',
  },
  {
    key: 'fillsPrompts',
    variable: 'HEDDLE_FILL_PROMPTS',
    flag: '--fill-prompts <on|off>',
    help: 'replace {column} in the messages of evaluated models with the value of the row (default: on)',
  },
  {
    key: 'publicLinks',
    variable: 'HEDDLE_PUBLIC_LINKS',
    flag: '--public-links <on|off>',
    help: 'let people share single traces with others who have no key (default: on)',
  },
  {
    key: 'inferenceCatalogue',
    variable: 'HEDDLE_INFERENCE_CATALOGUE',
    flag: '--inference-catalogue <path or url>',
    help: 'models to list in the inference API (default: none)',
  },
  {
    key: 'baseModelsDir',
    variable: 'HEDDLE_BASE_MODELS_DIR',
    flag: '--base-models-dir <path>',
    help: 'folder with more models to train, one folder each in the Hugging Face layout (default: those that come with Heddle)',
  },
  {
    key: 'trainingEngineUrl',
    variable: 'HEDDLE_TRAINING_ENGINE_URL',
    flag: '--training-engine-url <url>',
    help: 'server with the Tinker API that runs and trains models in place of this machine (default: none)',
  },
  {
    key: 'trainingEngineApiKey',
    variable: 'HEDDLE_TRAINING_ENGINE_API_KEY',
    flag: '--training-engine-api-key <key>',
    help: 'API key for that server; use the variable to keep it out of process lists',
  },
  {
    key: 'trainingLauncherFile',
    variable: 'HEDDLE_TRAINING_LAUNCHER_FILE',
    flag: '--training-launcher-file <path>',
    help: 'JSON file that says how to start such a server on Ray or Kubernetes (default: none is started)',
  },
  {
    key: 'trainingLauncherToken',
    variable: 'HEDDLE_TRAINING_LAUNCHER_TOKEN',
    flag: '--training-launcher-token <token>',
    help: 'token for the API of that cluster; use the variable to keep it out of process lists',
  },
  {
    key: 'maxCheckpointBytes',
    variable: 'HEDDLE_MAX_CHECKPOINT_BYTES',
    flag: '--max-checkpoint-bytes <number>',
    help: 'maximum size of weights to import, packed and unpacked (default: 4294967296)',
  },
  {
    key: 'trainingMemoryBytes',
    variable: 'HEDDLE_TRAINING_MEMORY_BYTES',
    flag: '--training-memory-bytes <number>',
    help: 'memory for the models that this machine runs and trains (default: 1073741824)',
  },
  {
    key: 'trainingThreads',
    variable: 'HEDDLE_TRAINING_THREADS',
    flag: '--training-threads <number>',
    help: 'threads that train models on this machine, 1 to 16 (default: its cores, at most 4)',
  },
  {
    key: 'chatLoadingMs',
    variable: 'HEDDLE_CHAT_LOADING_SECONDS',
    flag: '--chat-loading-seconds <number>',
    help: 'time in which the weights of a chat completion are loaded (default: 60)',
  },
  {
    key: 'chatStallMs',
    variable: 'HEDDLE_CHAT_STALL_SECONDS',
    flag: '--chat-stall-seconds <number>',
    help: 'time that a chat completion may go without progress on prompt or tokens (default: 120)',
  },
  {
    key: 'chatTotalMs',
    variable: 'HEDDLE_CHAT_TOTAL_SECONDS',
    flag: '--chat-total-seconds <number>',
    help: 'time that a chat completion may take (default: 3600)',
  },
  {
    key: 'allowedHosts',
    variable: 'HEDDLE_ALLOWED_HOSTS',
    flag: '--allowed-hosts <list>',
    help: 'comma-separated private hosts and subnets that the server may send requests to (default: none)',
  },
]

export type Environment = Readonly<Record<string, string | undefined>>
export type Flags = Partial<Record<keyof Configuration, string>>

/**
 * Puts flags before variables before defaults. An empty variable counts as not set.
 * @throws UsageError that names the setting, its value and what is allowed.
 */
export function toConfiguration({ environment, flags }: { environment: Environment; flags: Flags }): Configuration {
  const read = (key: keyof Configuration) => readSetting({ key, environment, flags })
  return {
    host: parseHost(read('host')),
    port: parsePort(read('port')),
    basePath: parseBasePath(read('basePath')),
    url: parseBaseUrl(read('url')),
    dataDir: parseDataDir(read('dataDir')),
    apiKey: parseApiKey(read('apiKey')),
    clickhouseUrl: parseUrl(read('clickhouseUrl'), ['http:', 'https:']),
    databaseUrl: parseUrl(read('databaseUrl'), ['postgres:', 'postgresql:']),
    pricesFile: parseFile(read('pricesFile')),
    blobsUrl: parseBucket(read('blobsUrl'), environment),
    only: parseOptionalChoice(read('only'), ['tracing', 'training']),
    hasOpenHealth: parseChoice(read('hasOpenHealth'), ['off', 'on']) === 'on',
    maxRequestBytes: parseBytes(read('maxRequestBytes')),
    requestsPerMinute: parseRequestsPerMinute(read('requestsPerMinute')),
    requestsPerMinutePerKey: parseRequestsPerMinute(read('requestsPerMinutePerKey')),
    ingestedBytesPerDay: parseIngestedBytes(read('ingestedBytesPerDay')),
    masksCredentials: parseChoice(read('masksCredentials'), ['on', 'off']) === 'on',
    publicLinks: parseChoice(read('publicLinks'), ['on', 'off']) === 'on',
    spanConflicts: parseChoice(read('spanConflicts'), ['keep', 'reject']),
    textIndex: parseOptionalChoice(read('textIndex'), ['on', 'off']),
    openaiApiKey: parseProviderKey(read('openaiApiKey')),
    openaiBaseUrl: parseBaseUrl(read('openaiBaseUrl')),
    providersFile: parseFile(read('providersFile')),
    fillsPrompts: parseChoice(read('fillsPrompts'), ['on', 'off']) === 'on',
    inferenceCatalogue: parseCatalogueSource(read('inferenceCatalogue')),
    baseModelsDir: parseFolder(read('baseModelsDir')),
    trainingEngineUrl: parseBaseUrl(read('trainingEngineUrl')),
    trainingEngineApiKey: parseProviderKey(read('trainingEngineApiKey')),
    trainingLauncherFile: parseFile(read('trainingLauncherFile')),
    trainingLauncherToken: parseToken(read('trainingLauncherToken')),
    maxCheckpointBytes: parseCheckpointBytes(read('maxCheckpointBytes')),
    trainingMemoryBytes: parseTrainingMemory(read('trainingMemoryBytes')),
    trainingThreads: parseThreads(read('trainingThreads')),
    chatLoadingMs: parseSeconds(read('chatLoadingMs'), 60),
    chatStallMs: parseSeconds(read('chatStallMs'), 120),
    chatTotalMs: parseSeconds(read('chatTotalMs'), 3_600),
    allowedHosts: parseAllowedHosts(read('allowedHosts')),
  }
}

/** Variables of programs that send their spans here; they may be set in the same shell. */
const variablesOfPackages = ['TRAINING_BASE_URL', 'PROJECT', 'SPANS', 'SAMPLE', 'MASK', 'SPOOL_DIR', 'DISABLED'].map(
  (name) => `HEDDLE_${name}`,
)

/** One line for each `HEDDLE_` variable that nothing reads, with the names that are read. */
export function warningsOf(environment: Environment): string[] {
  const known = settings.map((setting) => setting.variable)
  return Object.keys(environment)
    .filter((name) => name.startsWith('HEDDLE_') && !known.includes(name) && !variablesOfPackages.includes(name))
    .toSorted()
    .map((name) => `unknown setting ${name} is ignored; known settings are ${known.join(', ')}`)
}

interface Given {
  /** The variable or flag, for messages. */
  source: string
  value: string | undefined
}

function readSetting({ key, environment, flags }: { key: keyof Configuration; environment: Environment; flags: Flags }): Given {
  const setting = settings.find((candidate) => candidate.key === key)
  const flag = flags[key]
  if (flag !== undefined) return { source: setting?.flag.split(' ')[0] ?? key, value: flag }
  const variable = setting?.variable ?? key
  return { source: variable, value: environment[variable] || undefined }
}

function parseHost({ source, value = '127.0.0.1' }: Given): string {
  if (!/^[A-Za-z0-9._:%-]+$/.test(value)) throw refused(source, value, 'a host name or an IP address, without scheme, port or path')
  return value
}

function parsePort({ source, value = '7400' }: Given): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN
  if (!(port <= 65_535)) throw refused(source, value, 'an integer from 0 to 65535 (0 picks a free port)')
  return port
}

function parseDataDir(given: Given): string {
  return parseFolder(given) ?? resolve(homedir(), '.heddle')
}

function parseFolder({ source, value }: Given): string | undefined {
  if (value === undefined) return undefined
  if (value.trim() === '' || value.includes('\0')) throw refused(source, value, 'the path of a folder')
  return resolve(value)
}

function parseFile({ source, value }: Given): string | undefined {
  if (value === undefined) return undefined
  if (value.trim() === '' || value.includes('\0')) throw refused(source, value, 'the path of a file')
  return resolve(value)
}

function parseApiKey({ source, value }: Given): string | undefined {
  if (value === undefined) return undefined
  if (!/^[\x21-\x7e]{16,256}$/.test(value)) {
    throw new UsageError(`${source} must be 16 to 256 visible ASCII characters without spaces; \`heddle keys create\` generates one`)
  }
  return value
}

function parseUrl({ source, value }: Given, protocols: readonly string[]): string | undefined {
  if (value === undefined) return undefined
  const allowed = protocols.map((protocol) => `${protocol}//`).join(' or ')
  const protocol = URL.canParse(value) ? new URL(value).protocol : undefined
  // The value may hold a password, so only what went wrong is shown.
  if (protocol === undefined) throw new UsageError(`${source} is not a valid URL; it must start with ${allowed}`)
  if (!protocols.includes(protocol)) throw new UsageError(`${source} must start with ${allowed}, got "${protocol}"`)
  return value
}

function parseBucket({ source, value }: Given, environment: Environment): BlobsBucket | undefined {
  return value === undefined ? undefined : parseBlobsUrl({ source, value, environment })
}

function parseProviderKey({ source, value }: Given): string | undefined {
  if (value === undefined || /^[\x21-\x7e]{1,1000}$/.test(value)) return value
  throw new UsageError(`${source} must be visible ASCII characters without spaces`)
}

/** Service account tokens of clusters have more than 1,000 characters. */
function parseToken({ source, value }: Given): string | undefined {
  if (value === undefined || /^[\x21-\x7e]{1,20000}$/.test(value)) return value
  throw new UsageError(`${source} must be visible ASCII characters without spaces`)
}

function parseBaseUrl({ source, value }: Given): string | undefined {
  if (value === undefined) return undefined
  // The value may hold a password, so it is not shown.
  if (!isPlainAddress(value))
    throw new UsageError(`${source} must start with http:// or https:// and have no credentials, query or fragment`)
  return value.replace(/\/+$/, '')
}

function parseCatalogueSource(given: Given): CatalogueSource | undefined {
  if (given.value !== undefined && /^[a-z][a-z0-9+.-]+:\/\//i.test(given.value)) {
    const url = parseUrl(given, ['http:', 'https:'])
    return url === undefined ? undefined : { kind: 'url', url }
  }
  const path = parseFile(given)
  return path === undefined ? undefined : { kind: 'file', path }
}

function parseAllowedHosts({ source, value = '' }: Given): string[] {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  try {
    parseAllowedTargets(entries)
  } catch (error) {
    throw new UsageError(`${source}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return entries
}

const smallestRequest = 1024
/** What all requests together may hold. */
const largestRequest = 256 * 1024 * 1024

function parseBytes({ source, value = String(32 * 1024 * 1024) }: Given): number {
  const bytes = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
  if (!(bytes >= smallestRequest && bytes <= largestRequest))
    throw refused(source, value, `a number of bytes from ${smallestRequest} to ${largestRequest}`)
  return bytes
}

function parseRequestsPerMinute({ source, value }: Given): number | undefined {
  if (value === undefined) return undefined
  const requests = /^\d{1,7}$/.test(value) ? Number(value) : 0
  if (requests >= 1 && requests <= maxRequestsPerMinute) return requests
  throw refused(source, value, `a whole number of requests from 1 to ${maxRequestsPerMinute}`)
}

function parseIngestedBytes({ source, value }: Given): number | undefined {
  if (value === undefined) return undefined
  const bytes = /^\d{1,16}$/.test(value) ? Number(value) : 0
  if (bytes >= 1 && bytes <= maxIngestedBytesPerDay) return bytes
  throw refused(source, value, `a number of bytes from 1 to ${maxIngestedBytesPerDay}`)
}

const smallestCheckpoint = 1024 ** 2
const largestCheckpoint = 1024 ** 4

function parseCheckpointBytes({ source, value = String(4 * 1024 ** 3) }: Given): number {
  const bytes = /^\d{1,13}$/.test(value) ? Number(value) : Number.NaN
  if (bytes >= smallestCheckpoint && bytes <= largestCheckpoint) return bytes
  throw refused(source, value, `a number of bytes from ${smallestCheckpoint} to ${largestCheckpoint}`)
}

const smallestTrainingMemory = 64 * 1024 * 1024
/** What WebAssembly addresses. */
const largestTrainingMemory = 4 * 1024 ** 3

function parseTrainingMemory({ source, value = String(1024 ** 3) }: Given): number {
  const bytes = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
  if (bytes >= smallestTrainingMemory && bytes <= largestTrainingMemory) return bytes
  throw refused(source, value, `a number of bytes from ${smallestTrainingMemory} to ${largestTrainingMemory}`)
}

function parseThreads({ source, value }: Given): number | undefined {
  if (value === undefined) return undefined
  const threads = /^\d{1,2}$/.test(value) ? Number(value) : 0
  if (threads >= 1 && threads <= 16) return threads
  throw refused(source, value, 'a whole number from 1 to 16')
}

const longestSeconds = 86_400

/** Milliseconds. */
function parseSeconds({ source, value }: Given, usual: number): number {
  const seconds = value === undefined ? usual : /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (seconds >= 1 && seconds <= longestSeconds) return seconds * 1_000
  throw refused(source, value ?? '', `a whole number of seconds from 1 to ${longestSeconds}`)
}

/** The first choice is the default. */
function parseChoice<const Choice extends string>({ source, value }: Given, choices: readonly [Choice, ...Choice[]]): Choice {
  if (value === undefined) return choices[0]
  const choice = choices.find((each) => each === value)
  if (choice === undefined) throw refused(source, value, `one of ${choices.join(', ')}`)
  return choice
}

function parseOptionalChoice<const Choice extends string>(given: Given, choices: readonly [Choice, ...Choice[]]): Choice | undefined {
  return given.value === undefined ? undefined : parseChoice(given, choices)
}

function refused(source: string, value: string, allowed: string): UsageError {
  return new UsageError(`${source} must be ${allowed}, got ${JSON.stringify(value)}`)
}
