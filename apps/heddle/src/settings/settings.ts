import { maxIngestedBytesPerDay, maxRequestsPerMinute } from '@heddle/core-api/internal'
import { parseBasePath } from './base-path.ts'
import { parseBlobsUrl } from './blobs-url.ts'
import { parseParquetUrl } from './parquet-url.ts'
import {
  baseUrlKind,
  catalogueKind,
  choiceKind,
  countKind,
  databaseUrlKind,
  fileKind,
  folderKind,
  headersKind,
  hostKind,
  listenAddressKind,
  portKind,
  secretKind,
  shareKind,
  switchKind,
  targetsKind,
  timeZoneKind,
  type ValueKind,
} from './value-kinds.ts'

/** What an operator decides. Its key names it everywhere: `openHealth` is the flag `--open-health` and the variable `HEDDLE_OPEN_HEALTH`. */
interface CommonFacts<Value> {
  kind: ValueKind<Value>
  /** Its line of `--help`, where default and variable follow. */
  help: string
  /** Further Markdown sentences for the README. */
  about?: string
  /** The variable, where its name does not follow from the key. */
  variable?: string
}

/** A setting that always has a value. `''` as default reads as "none". */
export interface SettingWithDefault<Value> extends CommonFacts<Value> {
  default: string
}

/** A setting that may be undefined. */
export interface OptionalSetting<Value> extends CommonFacts<Value> {
  /** Behaviour without a value, in words. */
  otherwise: string
}

export type Setting<Value> = SettingWithDefault<Value> | OptionalSetting<Value>

const mebibyte = 1024 ** 2
/** The address space of WebAssembly. */
export const maxTrainingMemoryBytes = 4096 * mebibyte
const bytesKind = (min: number, max: number) => countKind({ unit: 'number of bytes', min, max })
const requestsKind = countKind({ unit: 'whole number of requests', min: 1, max: maxRequestsPerMinute })
const secondsKind = countKind({ unit: 'whole number of seconds', min: 1, max: 86_400 })
const stopSecondsKind = (min: number) => countKind({ unit: 'whole number of seconds', min, max: 3_600 })
const providerKeyKind = secretKind({ placeholder: '<key>', max: 1000 })

/**
 * Every setting, once. Flags, variables, `--help`, the type `Configuration`, checks and the list of the README follow from it;
 * `settings.test.ts` sets each one and looks at what it does.
 */
export const settings = {
  host: {
    kind: hostKind,
    default: '127.0.0.1',
    help: 'address to listen on',
    about: 'Listening elsewhere than on this machine needs a key that is neither revoked nor expired.',
  },
  port: { kind: portKind, default: '7400', help: 'port to listen on, 0 for any free port' },
  basePath: {
    kind: { placeholder: '<path>', parse: parseBasePath },
    default: '',
    help: 'path under which browsers see the server behind a reverse proxy, such as /heddle',
    about: 'See [Behind a reverse proxy](#behind-a-reverse-proxy).',
  },
  url: {
    kind: baseUrlKind,
    variable: 'HEDDLE_BASE_URL',
    otherwise: 'from --host, --port and --base-path',
    help: 'base URL at which commands and browsers reach the server, also that of a proxy before it',
    about: 'The admin key of the data folder is sent to this machine only.',
  },
  dataDir: { kind: folderKind, default: '~/.heddle', help: 'folder for all data' },
  apiKey: {
    kind: secretKind({ placeholder: '<key>', min: 16, max: 256, advice: '; `heddle keys create` generates one' }),
    otherwise: 'that in the data folder',
    help: 'admin API key',
    about:
      'The data folder has it in `admin-key`, readable by its owner alone. A key given here is an admin key for as long as it is given.',
  },
  clickhouseUrl: {
    kind: databaseUrlKind(['http:', 'https:']),
    otherwise: 'embedded engine',
    help: 'URL of a ClickHouse server',
    about: 'See [A ClickHouse or PostgreSQL server](#a-clickhouse-or-postgresql-server).',
  },
  databaseUrl: {
    kind: databaseUrlKind(['postgres:', 'postgresql:']),
    otherwise: 'SQLite in the data folder',
    help: 'URL of a PostgreSQL server',
  },
  pricesFile: {
    kind: fileKind,
    otherwise: 'built-in prices',
    help: 'JSON file with token prices',
    about: 'See [Prices](#prices).',
  },
  blobsUrl: {
    kind: { placeholder: '<url>', parse: parseBlobsUrl },
    otherwise: 'the data folder',
    help: 'bucket for file contents, such as s3://bucket/prefix?region=eu-west-1&endpoint=https://store.example',
    about: 'See [Files in a bucket](#files-in-a-bucket).',
  },
  parquetUrl: {
    kind: { placeholder: '<path or url>', parse: parseParquetUrl },
    otherwise: 'nothing is exported',
    help: 'folder or bucket (s3://bucket/prefix) to which calls, usage, feedback and evaluation results are exported as Parquet files',
    about: 'See `docs/parquet.md`.',
  },
  parquetEverySeconds: {
    kind: countKind({ unit: 'whole number of seconds', min: 1, max: 604_800 }),
    default: '3600',
    help: 'time between the starts of two exports to Parquet files',
  },
  only: { kind: choiceKind(['tracing', 'training']), otherwise: 'both', help: 'serve one of the services' },
  openHealth: {
    kind: switchKind,
    default: 'off',
    help: 'answer GET /v1/health without an API key, for load balancers',
  },
  metricsAddress: {
    kind: listenAddressKind,
    otherwise: 'none: an admin key at /metrics alone',
    help: 'own address for GET /metrics, without an API key, such as 127.0.0.1:9464',
    about: 'See [Metrics](#metrics).',
  },
  otlpGrpcAddress: {
    kind: listenAddressKind,
    otherwise: 'none: OTLP over HTTP alone',
    help: 'address for OTLP over gRPC (traces and logs), such as 127.0.0.1:4317',
    about: 'See [OTLP over gRPC](#otlp-over-grpc).',
  },
  telemetryUrl: {
    kind: baseUrlKind,
    otherwise: 'none: nothing is sent',
    help: "base URL of an OTLP/HTTP receiver for the server's own traces and metrics, such as http://127.0.0.1:4318",
    about: 'See [Telemetry of the server](#telemetry-of-the-server).',
  },
  telemetryHeaders: {
    kind: headersKind,
    otherwise: 'none',
    help: 'headers for that receiver, in the format of OTEL_EXPORTER_OTLP_HEADERS',
  },
  telemetrySignals: { kind: choiceKind(['traces', 'metrics']), otherwise: 'both', help: 'export only this signal' },
  telemetrySampleRatio: {
    kind: shareKind,
    default: '1',
    help: 'share of requests and jobs whose traces are exported, 0 to 1; a traceparent decides for its own request',
  },
  maxRequestBytes: {
    // At most what all requests together may hold.
    kind: bytesKind(1024, 256 * mebibyte),
    default: String(32 * mebibyte),
    help: 'maximum size of a request body, also of a file that is uploaded',
  },
  requestsPerMinute: {
    kind: requestsKind,
    otherwise: 'no limit, unless the project has one',
    help: 'maximum requests of each project in 60 s',
    about: 'See [Limits of a project](#limits-of-a-project).',
  },
  keyRequestsPerMinute: {
    kind: requestsKind,
    otherwise: 'no limit, unless the project has one',
    help: 'maximum requests of each API key to one project in 60 s',
  },
  ingestedBytesPerDay: {
    kind: bytesKind(1, maxIngestedBytesPerDay),
    otherwise: 'no limit, unless the project has one',
    help: 'maximum bytes of writes of each project on a day in UTC',
  },
  maskCredentials: { kind: switchKind, default: 'on', help: 'store the values of keys such as api_key as REDACTED' },
  spanConflicts: {
    kind: choiceKind(['keep', 'reject']),
    default: 'keep',
    help: 'what to do with a span whose attribute names conflict, such as a and a.b',
  },
  textIndex: {
    kind: choiceKind(['on', 'off']),
    otherwise: 'unchanged, initially off',
    help: 'index the words of inputs and outputs for $contains',
    about: 'See [Searching texts](#searching-texts).',
  },
  openaiApiKey: {
    kind: providerKeyKind,
    otherwise: 'none',
    help: 'API key for OpenAI',
    about: 'Without a provider no images are made.',
  },
  openaiBaseUrl: {
    kind: baseUrlKind,
    otherwise: 'https://api.openai.com/v1',
    help: 'base URL of OpenAI or of a compatible server, with a key or without',
  },
  providersFile: {
    kind: fileKind,
    otherwise: 'none',
    help: 'JSON file with additional model providers',
    about: 'See [Models of others](#models-of-others). Models of this server need none: `heddle/<name>`, or their address.',
  },
  fillPrompts: {
    kind: switchKind,
    default: 'on',
    help: 'replace {column} in the messages of evaluated models with the value of the row',
  },
  publicLinks: { kind: switchKind, default: 'on', help: 'let people share single traces with others who have no key' },
  inferenceCatalogue: { kind: catalogueKind, otherwise: 'none', help: 'models to list in the inference API' },
  baseModelsDir: {
    kind: folderKind,
    otherwise: 'those that come with Heddle',
    help: 'folder with more models to train, one folder each in the Hugging Face layout',
    about: 'See [Models to train](#models-to-train).',
  },
  trainingEngineUrl: {
    kind: baseUrlKind,
    otherwise: 'none',
    help: 'server with the Tinker API that runs and trains models in place of this machine',
    about: 'See [Training on another server](#training-on-another-server).',
  },
  trainingEngineApiKey: { kind: providerKeyKind, otherwise: 'none', help: 'API key for that server' },
  trainingLauncherFile: {
    kind: fileKind,
    otherwise: 'none is started',
    help: 'JSON file that says how to start such a server on this machine, Ray, Kubernetes or Slurm',
    about: 'See [Starting that server](#starting-that-server).',
  },
  trainingLauncherToken: {
    // Service account tokens of clusters have more than 1,000 characters.
    kind: secretKind({ placeholder: '<token>', max: 20_000 }),
    otherwise: 'none',
    help: 'token for the API of that cluster',
  },
  samplerUrl: {
    kind: baseUrlKind,
    otherwise: 'none: the engine that trains samples, too',
    help: 'vLLM or SGLang server that samples completions of its base model and of adapters trained from it',
    about: 'See [An inference server](#an-inference-server).',
  },
  samplerApiKey: { kind: providerKeyKind, otherwise: 'none', help: 'API key for that server' },
  samplerFolder: {
    kind: folderKind,
    otherwise: 'sampler-adapters in the data folder',
    help: 'folder where adapters are written for that server, which must see it by the same path',
  },
  maxCheckpointBytes: {
    kind: bytesKind(mebibyte, 1024 ** 2 * mebibyte),
    default: String(4096 * mebibyte),
    help: 'maximum size of weights to import, packed and unpacked, 1 MiB to 1 TiB',
  },
  engineMemoryBytes: {
    kind: bytesKind(128 * mebibyte, 1024 ** 2 * mebibyte),
    otherwise: '40 % of the memory that the server may use, at most 6 GB',
    help: 'memory of the embedded engine for queries and merges',
    about: 'See [Memory](#memory).',
  },
  heapMemoryBytes: {
    kind: bytesKind(128 * mebibyte, 1024 ** 2 * mebibyte),
    otherwise: 'a quarter of the memory that the server may use, at most 4 GiB',
    help: 'memory of the server, and of each process that it starts, for JavaScript objects',
  },
  trainingMemoryBytes: {
    kind: bytesKind(64 * mebibyte, maxTrainingMemoryBytes),
    otherwise: 'a tenth of the memory that the server may use, 64 MiB to 1 GiB',
    help: 'memory for the models that this machine runs and trains, 64 MiB to 4 GiB',
  },
  trainingThreads: {
    kind: countKind({ unit: 'whole number', min: 1, max: 16 }),
    otherwise: 'its cores, at most 4',
    help: 'threads that train models on this machine, 1 to 16',
    about: 'Results are the same with any number.',
  },
  trainingBlasFile: {
    kind: fileKind,
    otherwise: 'none',
    help: 'library with CBLAS, such as OpenBLAS, that multiplies matrices for models on this machine',
    about: 'See `docs/base-models.md`.',
  },
  trainingMaxRank: {
    kind: countKind({ unit: 'whole number', min: 1, max: 1_024 }),
    default: '256',
    help: 'highest rank of a new adapter, 1 to 1024',
    about: 'With another server, that which it allows (`max_lora_rank` of SkyRL).',
  },
  chatLoadingSeconds: {
    kind: secondsKind,
    default: '60',
    help: 'time in which the weights of a chat completion are loaded, 1 to 86400',
  },
  chatStallSeconds: {
    kind: secondsKind,
    default: '120',
    help: 'time that a chat completion may go without progress on prompt or tokens',
  },
  chatTotalSeconds: {
    kind: secondsKind,
    default: '3600',
    help: 'time that a chat completion may take, its wait for a turn included',
  },
  allowedHosts: {
    kind: targetsKind,
    default: '',
    help: 'comma-separated private hosts, host:port, IP addresses and subnets that the server may send requests to',
  },
  drainDelaySeconds: {
    kind: stopSecondsKind(0),
    default: '0',
    help: 'time to keep serving after SIGTERM while /readyz returns 503, so that load balancers stop sending requests',
    about: 'See [Probes](#probes).',
  },
  drainLimitSeconds: {
    kind: stopSecondsKind(1),
    default: '15',
    help: 'time after it in which requests in progress may finish before they are cut',
  },
  timeZone: {
    kind: timeZoneKind,
    otherwise: 'that of this machine',
    help: 'time zone in which commands show and read times, such as Europe/Berlin or UTC',
    about: 'See [Times](#times). Pages have their own choice.',
  },
  logLevel: { kind: choiceKind(['debug', 'info', 'warn', 'error']), default: 'warn', help: 'least severe messages that the server logs' },
} as const satisfies Record<string, Setting<unknown>>

export type SettingKey = keyof typeof settings

export const settingKeys = Object.keys(settings) as SettingKey[]

/** True for a setting whose variable may be given as a file. */
export function isGivenAsFile(key: SettingKey): boolean {
  const { kind }: Setting<unknown> = settings[key]
  return kind.isSecret === true || kind.mayHoldPassword === true
}

/** Without a value: `--open-health`. The parser of the command makes the key of it again. */
export function flagOf(key: SettingKey): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export function variableOf(key: SettingKey): string {
  const { variable }: Setting<unknown> = settings[key]
  return variable ?? `HEDDLE_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}
