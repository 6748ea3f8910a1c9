import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Environment, type Flags, settings, toConfiguration, warningsOf } from './configuration.ts'

const configure = (environment: Environment = {}, flags: Flags = {}) => toConfiguration({ environment, flags })

test('without any setting the server is for this machine alone', () => {
  expect(configure()).toEqual({
    host: '127.0.0.1',
    port: 7400,
    basePath: '',
    dataDir: join(homedir(), '.heddle'),
    apiKey: undefined,
    clickhouseUrl: undefined,
    databaseUrl: undefined,
    pricesFile: undefined,
    blobsUrl: undefined,
    only: undefined,
    hasOpenHealth: false,
    maxRequestBytes: 33_554_432,
    requestsPerMinute: undefined,
    requestsPerMinutePerKey: undefined,
    ingestedBytesPerDay: undefined,
    masksCredentials: true,
    spanConflicts: 'keep',
    textIndex: undefined,
    openaiApiKey: undefined,
    openaiBaseUrl: undefined,
    providersFile: undefined,
    fillsPrompts: true,
    publicLinks: true,
    inferenceCatalogue: undefined,
    baseModelsDir: undefined,
    trainingEngineUrl: undefined,
    trainingEngineApiKey: undefined,
    trainingLauncherFile: undefined,
    trainingLauncherToken: undefined,
    maxCheckpointBytes: 4_294_967_296,
    trainingMemoryBytes: 1_073_741_824,
    trainingThreads: undefined,
    chatLoadingMs: 60_000,
    chatStallMs: 120_000,
    chatTotalMs: 3_600_000,
    allowedHosts: [],
  })
})

test('every setting is read from its variable', () => {
  const environment = {
    HEDDLE_HOST: '::1',
    HEDDLE_PORT: '0',
    HEDDLE_BASE_PATH: '/heddle',
    HEDDLE_BASE_URL: 'https://heddle.example/base/',
    HEDDLE_DATA_DIR: 'data',
    HEDDLE_API_KEY: 'a-key-of-our-own-making',
    HEDDLE_CLICKHOUSE_URL: 'https://user:pass@ch.example:8443',
    HEDDLE_DATABASE_URL: 'postgresql://user:pass@pg.example/heddle',
    HEDDLE_PRICES_FILE: 'prices.json',
    HEDDLE_BLOBS_URL: 's3://looms/heddle?region=eu-west-1',
    HEDDLE_ONLY: 'training',
    HEDDLE_OPEN_HEALTH: 'on',
    HEDDLE_MAX_REQUEST_BYTES: '1048576',
    HEDDLE_REQUESTS_PER_MINUTE: '6000',
    HEDDLE_KEY_REQUESTS_PER_MINUTE: '600',
    HEDDLE_INGESTED_BYTES_PER_DAY: '10000000000',
    HEDDLE_MASK_CREDENTIALS: 'off',
    HEDDLE_SPAN_CONFLICTS: 'reject',
    HEDDLE_TEXT_INDEX: 'on',
    HEDDLE_OPENAI_API_KEY: 'sk-1',
    HEDDLE_OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1/',
    HEDDLE_PROVIDERS_FILE: 'providers.json',
    HEDDLE_FILL_PROMPTS: 'off',
    HEDDLE_PUBLIC_LINKS: 'off',
    HEDDLE_INFERENCE_CATALOGUE: 'https://models.example/list?x=1',
    HEDDLE_BASE_MODELS_DIR: 'models',
    HEDDLE_TRAINING_ENGINE_URL: 'http://10.0.0.5:8000/',
    HEDDLE_TRAINING_ENGINE_API_KEY: 'tml-1',
    HEDDLE_TRAINING_LAUNCHER_FILE: 'launcher.json',
    HEDDLE_TRAINING_LAUNCHER_TOKEN: 'token-1',
    HEDDLE_MAX_CHECKPOINT_BYTES: '1048576',
    HEDDLE_TRAINING_MEMORY_BYTES: '2147483648',
    HEDDLE_TRAINING_THREADS: '2',
    HEDDLE_CHAT_LOADING_SECONDS: '300',
    HEDDLE_CHAT_STALL_SECONDS: '30',
    HEDDLE_CHAT_TOTAL_SECONDS: '86400',
    HEDDLE_ALLOWED_HOSTS: 'models.internal:8000, 10.0.0.0/8',
  }
  expect(Object.keys(environment)).toEqual(settings.map((setting) => setting.variable))
  const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  expect(configure({ ...environment, ...credentials })).toEqual({
    host: '::1',
    port: 0,
    basePath: '/heddle',
    url: 'https://heddle.example/base',
    dataDir: resolve('data'),
    apiKey: 'a-key-of-our-own-making',
    clickhouseUrl: 'https://user:pass@ch.example:8443',
    databaseUrl: 'postgresql://user:pass@pg.example/heddle',
    pricesFile: resolve('prices.json'),
    blobsUrl: {
      url: 'https://looms.s3.eu-west-1.amazonaws.com',
      region: 'eu-west-1',
      prefix: 'heddle/',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    },
    only: 'training',
    hasOpenHealth: true,
    maxRequestBytes: 1_048_576,
    requestsPerMinute: 6_000,
    requestsPerMinutePerKey: 600,
    ingestedBytesPerDay: 10_000_000_000,
    masksCredentials: false,
    spanConflicts: 'reject',
    textIndex: 'on',
    openaiApiKey: 'sk-1',
    openaiBaseUrl: 'http://127.0.0.1:8000/v1',
    providersFile: resolve('providers.json'),
    fillsPrompts: false,
    publicLinks: false,
    inferenceCatalogue: { kind: 'url', url: 'https://models.example/list?x=1' },
    baseModelsDir: resolve('models'),
    trainingEngineUrl: 'http://10.0.0.5:8000',
    trainingEngineApiKey: 'tml-1',
    trainingLauncherFile: resolve('launcher.json'),
    trainingLauncherToken: 'token-1',
    maxCheckpointBytes: 2 ** 20,
    trainingMemoryBytes: 2 ** 31,
    trainingThreads: 2,
    chatLoadingMs: 300_000,
    chatStallMs: 30_000,
    chatTotalMs: 86_400_000,
    allowedHosts: ['models.internal:8000', '10.0.0.0/8'],
  })
})

test('a flag wins over a variable, and an empty variable counts as not set', () => {
  expect(configure({ HEDDLE_PORT: '1', HEDDLE_HOST: '' }, { port: '2' })).toMatchObject({ port: 2, host: '127.0.0.1' })
})

test.each<[Environment, Flags, RegExp]>([
  [{ HEDDLE_PORT: 'abc' }, {}, /^HEDDLE_PORT must be an integer from 0 to 65535 .*, got "abc"$/],
  [{ HEDDLE_PORT: '65536' }, {}, /^HEDDLE_PORT must be .*, got "65536"$/],
  [{ HEDDLE_PORT: '-1' }, {}, /^HEDDLE_PORT/],
  [{ HEDDLE_PORT: '74.0' }, {}, /^HEDDLE_PORT/],
  [{}, { port: '' }, /^--port must be .*, got ""$/],
  [{ HEDDLE_HOST: 'http://localhost' }, {}, /^HEDDLE_HOST must be a host name .*, got "http:\/\/localhost"$/],
  [{ HEDDLE_HOST: 'a b' }, {}, /^HEDDLE_HOST/],
  [{}, { dataDir: ' ' }, /^--data-dir must be the path of a folder, got " "$/],
  [{}, { pricesFile: '' }, /^--prices-file must be the path of a file, got ""$/],
  [{ HEDDLE_API_KEY: 'short' }, {}, /^HEDDLE_API_KEY must be 16 to 256 visible ASCII characters/],
  [{ HEDDLE_API_KEY: 'a key with spaces in it' }, {}, /^HEDDLE_API_KEY/],
  [{ HEDDLE_CLICKHOUSE_URL: 'ch.example' }, {}, /^HEDDLE_CLICKHOUSE_URL is not a valid URL; it must start with http:\/\/ or https:\/\//],
  [{ HEDDLE_DATABASE_URL: 'mysql://pg.example' }, {}, /^HEDDLE_DATABASE_URL must start with postgres:\/\/ .*, got "mysql:"$/],
  [{ HEDDLE_ONLY: 'both' }, {}, /^HEDDLE_ONLY must be one of tracing, training, got "both"$/],
  [{ HEDDLE_MAX_REQUEST_BYTES: '32MB' }, {}, /^HEDDLE_MAX_REQUEST_BYTES must be a number of bytes from 1024 to 268435456, got "32MB"$/],
  [{ HEDDLE_MAX_REQUEST_BYTES: '268435457' }, {}, /^HEDDLE_MAX_REQUEST_BYTES/],
  [{ HEDDLE_REQUESTS_PER_MINUTE: '0' }, {}, /^HEDDLE_REQUESTS_PER_MINUTE must be a whole number of requests from 1 to 1000000, got "0"$/],
  [{ HEDDLE_INGESTED_BYTES_PER_DAY: '10GB' }, {}, /^HEDDLE_INGESTED_BYTES_PER_DAY must be a number of bytes from 1 to 1125899906842624/],
  [{}, { requestsPerMinutePerKey: '1.5' }, /^--key-requests-per-minute must be a whole number/],
  [{ HEDDLE_MASK_CREDENTIALS: 'yes' }, {}, /^HEDDLE_MASK_CREDENTIALS must be one of on, off, got "yes"$/],
  [{ HEDDLE_BLOBS_URL: 'https://looms' }, {}, /^HEDDLE_BLOBS_URL is not a bucket URL; expected s3:\/\//],
  [{ HEDDLE_BLOBS_URL: 's3://looms' }, {}, /^HEDDLE_BLOBS_URL needs credentials: set AWS_ACCESS_KEY_ID/],
  [{ HEDDLE_OPENAI_API_KEY: 'a b' }, {}, /^HEDDLE_OPENAI_API_KEY must be visible ASCII/],
  [{ HEDDLE_OPENAI_BASE_URL: 'api.openai.com' }, {}, /^HEDDLE_OPENAI_BASE_URL must start with http:\/\/ or https:\/\//],
  [{ HEDDLE_TRAINING_ENGINE_URL: 'trainer:8000' }, {}, /^HEDDLE_TRAINING_ENGINE_URL must start with http:\/\/ or https:\/\//],
  [{ HEDDLE_TRAINING_LAUNCHER_FILE: ' ' }, {}, /^HEDDLE_TRAINING_LAUNCHER_FILE must be the path of a file, got " "$/],
  [{ HEDDLE_TRAINING_LAUNCHER_TOKEN: 'a b' }, {}, /^HEDDLE_TRAINING_LAUNCHER_TOKEN must be visible ASCII/],
  [
    { HEDDLE_TRAINING_MEMORY_BYTES: '2GB' },
    {},
    /^HEDDLE_TRAINING_MEMORY_BYTES must be a number of bytes from 67108864 to 4294967296, got "2GB"$/,
  ],
  [{ HEDDLE_TRAINING_MEMORY_BYTES: '4294967297' }, {}, /^HEDDLE_TRAINING_MEMORY_BYTES/],
  [{ HEDDLE_TRAINING_THREADS: '0' }, {}, /^HEDDLE_TRAINING_THREADS must be a whole number from 1 to 16, got "0"$/],
  [{}, { trainingThreads: '17' }, /^--training-threads/],
  [{ HEDDLE_CHAT_STALL_SECONDS: '0' }, {}, /^HEDDLE_CHAT_STALL_SECONDS must be a whole number of seconds from 1 to 86400, got "0"$/],
  [{}, { chatTotalMs: '86401' }, /^--chat-total-seconds/],
  [{ HEDDLE_PROVIDERS_FILE: ' ' }, {}, /^HEDDLE_PROVIDERS_FILE must be the path of a file, got " "$/],
  [{ HEDDLE_INFERENCE_CATALOGUE: 'ftp://x/y' }, {}, /^HEDDLE_INFERENCE_CATALOGUE must start with http:\/\/ .*, got "ftp:"$/],
  [{ HEDDLE_ALLOWED_HOSTS: 'a.test,http://b' }, {}, /^HEDDLE_ALLOWED_HOSTS: "http:\/\/b" is not a host, host:port, IP address or subnet/],
  [{}, { spanConflicts: 'drop' }, /^--span-conflicts must be one of keep, reject, got "drop"$/],
])('%j %j is refused with what is allowed', (environment, flags, message) => {
  expect(() => configure(environment, flags)).toThrow(message)
})

test('a refused secret is not shown', () => {
  expect(() => configure({ HEDDLE_API_KEY: 'hush' })).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hush') }))
  expect(() => configure({ HEDDLE_DATABASE_URL: 'mysql://u:hush@db' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hush') }),
  )
})

test('the catalogue is a file or an address', () => {
  expect(configure({ HEDDLE_INFERENCE_CATALOGUE: 'models.json' }).inferenceCatalogue).toEqual({
    kind: 'file',
    path: resolve('models.json'),
  })
})

test('an unknown HEDDLE_ variable is a warning, other variables are ignored', () => {
  expect(warningsOf({ HEDDLE_PROT: '1', HEDDLE_PORT: '1', PATH: '/bin' })).toEqual([
    expect.stringMatching(/^unknown setting HEDDLE_PROT is ignored; known settings are HEDDLE_HOST, HEDDLE_PORT/),
  ])
})

test('variables of the client packages are not warned about', () => {
  expect(warningsOf({ HEDDLE_BASE_URL: 'http://127.0.0.1:7400', HEDDLE_PROJECT: 'me/first' })).toEqual([])
})
