import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Environment, type Flags, toConfiguration, warningsOf } from './configuration.ts'
import { parseHeaders } from './value-kinds.ts'

const configure = (environment: Environment = {}, flags: Flags = {}) => toConfiguration({ environment, flags })

test('without any setting the server is for this machine alone', () => {
  expect(configure()).toEqual({
    host: '127.0.0.1',
    port: 7400,
    basePath: '',
    url: undefined,
    dataDir: join(homedir(), '.heddle'),
    apiKey: undefined,
    clickhouseUrl: undefined,
    databaseUrl: undefined,
    pricesFile: undefined,
    blobsUrl: undefined,
    only: undefined,
    parquetEverySeconds: 3600,
    openHealth: false,
    telemetrySampleRatio: 1,
    maxRequestBytes: 33_554_432,
    requestsPerMinute: undefined,
    keyRequestsPerMinute: undefined,
    ingestedBytesPerDay: undefined,
    maskCredentials: true,
    spanConflicts: 'keep',
    textIndex: undefined,
    openaiApiKey: undefined,
    openaiBaseUrl: undefined,
    providersFile: undefined,
    fillPrompts: true,
    publicLinks: true,
    inferenceCatalogue: undefined,
    baseModelsDir: undefined,
    trainingEngineUrl: undefined,
    trainingEngineApiKey: undefined,
    trainingLauncherFile: undefined,
    trainingLauncherToken: undefined,
    samplerUrl: undefined,
    samplerApiKey: undefined,
    samplerFolder: undefined,
    maxCheckpointBytes: 4_294_967_296,
    trainingMemoryBytes: undefined,
    trainingThreads: undefined,
    trainingBlasFile: undefined,
    trainingMaxRank: 256,
    chatLoadingSeconds: 60,
    chatStallSeconds: 120,
    chatTotalSeconds: 3_600,
    drainDelaySeconds: 0,
    drainLimitSeconds: 15,
    allowedHosts: [],
    logLevel: 'warn',
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
  [{}, { keyRequestsPerMinute: '1.5' }, /^--key-requests-per-minute must be a whole number/],
  [{ HEDDLE_MASK_CREDENTIALS: 'yes' }, {}, /^HEDDLE_MASK_CREDENTIALS must be one of on, off, got "yes"$/],
  [{ HEDDLE_BLOBS_URL: 'https://looms' }, {}, /^HEDDLE_BLOBS_URL is not a bucket URL; expected s3:\/\//],
  [{ HEDDLE_BLOBS_URL: 's3://looms' }, {}, /^HEDDLE_BLOBS_URL needs credentials: set AWS_ACCESS_KEY_ID/],
  [{ HEDDLE_OPENAI_API_KEY: 'a b' }, {}, /^HEDDLE_OPENAI_API_KEY must be 1 to 1000 visible ASCII/],
  [{ HEDDLE_OPENAI_BASE_URL: 'api.openai.com' }, {}, /^HEDDLE_OPENAI_BASE_URL must start with http:\/\/ or https:\/\//],
  [{ HEDDLE_SAMPLER_URL: 'vllm:8000' }, {}, /^HEDDLE_SAMPLER_URL must start with http:\/\/ or https:\/\//],
  [{ HEDDLE_TRAINING_ENGINE_URL: 'trainer:8000' }, {}, /^HEDDLE_TRAINING_ENGINE_URL must start with http:\/\/ or https:\/\//],
  [{ HEDDLE_TRAINING_LAUNCHER_FILE: ' ' }, {}, /^HEDDLE_TRAINING_LAUNCHER_FILE must be the path of a file, got " "$/],
  [{ HEDDLE_TRAINING_LAUNCHER_TOKEN: 'a b' }, {}, /^HEDDLE_TRAINING_LAUNCHER_TOKEN must be 1 to 20000 visible ASCII/],
  [
    { HEDDLE_TRAINING_MEMORY_BYTES: '2GB' },
    {},
    /^HEDDLE_TRAINING_MEMORY_BYTES must be a number of bytes from 67108864 to 4294967296, got "2GB"$/,
  ],
  [{ HEDDLE_TRAINING_MEMORY_BYTES: '4294967297' }, {}, /^HEDDLE_TRAINING_MEMORY_BYTES/],
  [{ HEDDLE_TRAINING_THREADS: '0' }, {}, /^HEDDLE_TRAINING_THREADS must be a whole number from 1 to 16, got "0"$/],
  [{}, { trainingThreads: '17' }, /^--training-threads/],
  [{ HEDDLE_TRAINING_MAX_RANK: '1025' }, {}, /^HEDDLE_TRAINING_MAX_RANK must be a whole number from 1 to 1024/],
  [{ HEDDLE_CHAT_STALL_SECONDS: '0' }, {}, /^HEDDLE_CHAT_STALL_SECONDS must be a whole number of seconds from 1 to 86400, got "0"$/],
  [{}, { chatTotalSeconds: '86401' }, /^--chat-total-seconds/],
  [{ HEDDLE_PROVIDERS_FILE: ' ' }, {}, /^HEDDLE_PROVIDERS_FILE must be the path of a file, got " "$/],
  [{ HEDDLE_INFERENCE_CATALOGUE: 'ftp://x/y' }, {}, /^HEDDLE_INFERENCE_CATALOGUE must start with http:\/\/ .*, got "ftp:"$/],
  [{ HEDDLE_ALLOWED_HOSTS: 'a.test,http://b' }, {}, /^HEDDLE_ALLOWED_HOSTS: "http:\/\/b" is not a host, host:port, IP address or subnet/],
  [{ HEDDLE_LOG_LEVEL: 'loud' }, {}, /^HEDDLE_LOG_LEVEL must be one of debug, info, warn, error, got "loud"$/],
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

test('a path below ~/ is in the home folder, as shells have it', () => {
  expect(configure({ HEDDLE_DATA_DIR: '~/looms' }).dataDir).toBe(join(homedir(), 'looms'))
  expect(configure({ HEDDLE_PRICES_FILE: '~prices.json' }).pricesFile).toBe(resolve('~prices.json'))
})

test('the catalogue is a file or an address', () => {
  expect(configure({ HEDDLE_INFERENCE_CATALOGUE: 'models.json' }).inferenceCatalogue).toEqual({
    kind: 'file',
    path: resolve('models.json'),
  })
  expect(configure({ HEDDLE_INFERENCE_CATALOGUE: 'https://models.example/list?x=1' }).inferenceCatalogue).toEqual({
    kind: 'url',
    url: 'https://models.example/list?x=1',
  })
})

test.each([
  ['HEDDLE_PROT', 'unknown setting HEDDLE_PROT is ignored; did you mean HEDDLE_PORT?; `heddle serve --help` lists all settings'],
  ['HEDDLE_TRAINING_MAX_RANKS', 'HEDDLE_TRAINING_MAX_RANKS is ignored; did you mean HEDDLE_TRAINING_MAX_RANK?;'],
  ['HEDDLE_PROJET', 'HEDDLE_PROJET is ignored; did you mean HEDDLE_PROJECT?;'],
  ['HEDDLE_COLOUR_OF_LOGS', 'HEDDLE_COLOUR_OF_LOGS is ignored; `heddle serve --help` lists all settings'],
])('the unknown variable %s is a warning in one short line, with a known name only if it is near', (name, warning) => {
  expect(warningsOf({ [name]: '1', HEDDLE_PORT: '1', PATH: '/bin' })).toEqual([expect.stringContaining(warning)])
})

test('variables of the client packages are not warned about', () => {
  expect(warningsOf({ HEDDLE_BASE_URL: 'http://127.0.0.1:7400', HEDDLE_PROJECT: 'me/first' })).toEqual([])
})

test.each([
  ['HEDDLE_TELEMETRY_SAMPLE_RATIO', '1.5', 'a number from 0 to 1'],
  ['HEDDLE_TELEMETRY_HEADERS', 'Bearer hush', 'a list such as authorization=Bearer%20key'],
  ['HEDDLE_TELEMETRY_HEADERS', 'a=%zz', 'a list such as'],
  ['HEDDLE_TELEMETRY_HEADERS', 'a=b,', 'a list such as'],
  ['HEDDLE_TELEMETRY_URL', 'collector:4318', 'must start with http:// or https://'],
])('%s=%j is refused by name, without a secret', (name, text, reason) => {
  expect(() => configure({ [name]: text })).toThrow(reason)
  expect(() => configure({ [name]: text })).toThrow(name)
  expect(() => configure({ [name]: text })).not.toThrow('hush')
})

test('header fields for telemetry are those of the standard variable', () => {
  expect(parseHeaders('Authorization=Bearer%20a%3D, project-id=acme/chat')).toEqual({
    authorization: 'Bearer a=',
    'project-id': 'acme/chat',
  })
})
