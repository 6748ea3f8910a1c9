import { expect, test } from 'vitest'
import type { ExporterOptions, ExporterSettings } from './exporter-options.ts'
import { toExporterSettings } from './exporter-settings.ts'

/** Settings from variables, and what was warned of. */
function settings(environment: Record<string, string>, options: ExporterOptions = {}) {
  const warnings: string[] = []
  return { ...toExporterSettings({ environment, ...options }, (message) => warnings.push(message)), warnings }
}

const local = 'http://127.0.0.1:7400/otel/v1/traces'

test.each<[string, Record<string, string>, ExporterOptions, string]>([
  ['nothing', {}, {}, local],
  ['our variable', { HEDDLE_BASE_URL: 'https://h.test/' }, {}, 'https://h.test/otel/v1/traces'],
  ['our variable, given too long', { HEDDLE_BASE_URL: 'https://h.test/otel/v1/traces' }, {}, 'https://h.test/otel/v1/traces'],
  ['the variable for traces, as it stands', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://h.test/x' }, {}, 'https://h.test/x'],
  ['the variable for all signals, as a base', { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://h.test/otel/' }, {}, 'https://h.test/otel/v1/traces'],
  [
    'ours before that for traces before that for all',
    {
      HEDDLE_BASE_URL: 'https://a.test',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b.test/b',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.test',
    },
    {},
    'https://a.test/otel/v1/traces',
  ],
  ['an option before all', { HEDDLE_BASE_URL: 'https://a.test' }, { baseUrl: 'https://o.test' }, 'https://o.test/otel/v1/traces'],
  ['a full option before a base', {}, { url: 'https://o.test/full', baseUrl: 'https://p.test' }, 'https://o.test/full'],
])('the address comes from %s', (_, environment, options, url) => {
  expect(settings(environment, options).url).toBe(url)
})

test.each<[keyof ExporterSettings, unknown, Record<string, string>, ExporterOptions]>([
  ['timeoutMs', 10_000, {}, {}],
  ['timeoutMs', 700, { OTEL_EXPORTER_OTLP_TIMEOUT: '700' }, {}],
  ['timeoutMs', 300, { OTEL_EXPORTER_OTLP_TIMEOUT: '700', OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '300' }, {}],
  ['timeoutMs', 100, { OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '300' }, { timeoutMs: 100 }],
  ['compression', 'gzip', { HEDDLE_BASE_URL: 'https://h.test' }, {}],
  ['compression', 'none', { HEDDLE_BASE_URL: 'http://localhost:7400' }, {}],
  ['compression', 'none', { HEDDLE_BASE_URL: 'http://127.0.0.1:7400' }, {}],
  ['compression', 'none', { HEDDLE_BASE_URL: 'http://[::1]:7400' }, {}],
  ['compression', 'gzip', { HEDDLE_BASE_URL: 'http://127.0.0.1:7400' }, { compression: 'gzip' }],
  ['compression', 'none', { OTEL_EXPORTER_OTLP_COMPRESSION: 'none' }, {}],
  ['compression', 'gzip', { OTEL_EXPORTER_OTLP_COMPRESSION: 'none', OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip' }, {}],
  ['spoolDir', '/spool', { HEDDLE_SPOOL_DIR: '/spool' }, {}],
  ['disabled', true, { HEDDLE_DISABLED: 'true' }, {}],
  ['disabled', false, { HEDDLE_DISABLED: 'true' }, { disabled: false }],
  [
    'tls',
    { certificate: '/ca', clientCertificate: '/cert', clientKey: '/key' },
    {
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca',
      OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: '/cert',
      OTEL_EXPORTER_OTLP_CLIENT_KEY: '/key',
    },
    {},
  ],
])('%s is %j with %j and %j', (name, expected, environment, options) => {
  expect(settings(environment, options)[name]).toEqual(expected)
})

test('the variables of batching are those of OpenTelemetry; only the queue is longer, since its bytes are bounded too', () => {
  expect(settings({}).pipeline).toMatchObject({
    scheduleDelayMs: 5000,
    flushTimeoutMs: 30_000,
    maxQueueSpans: 20_000,
    maxBatchSpans: 512,
    concurrency: 8,
  })
  const environment = {
    OTEL_BSP_SCHEDULE_DELAY: '0',
    OTEL_BSP_EXPORT_TIMEOUT: '2',
    OTEL_BSP_MAX_QUEUE_SIZE: '3',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4',
  }
  expect(settings(environment).pipeline).toMatchObject({ scheduleDelayMs: 0, flushTimeoutMs: 2, maxQueueSpans: 3, maxBatchSpans: 4 })
})

test('headers are decoded and merged, the more specific over the more general, and the key over both', () => {
  const environment = {
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=general,Authorization=Basic%20b3RoZXI%3D',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=specific, c = x%2Cy ',
    HEDDLE_API_KEY: 'k',
    HEDDLE_PROJECT: 'team/app',
  }
  expect(settings(environment).headers).toMatchObject({
    a: '1',
    b: 'specific',
    c: 'x,y',
    authorization: `Basic ${btoa('api:k')}`,
    'project-id': 'team/app',
  })
  expect(settings(environment, { headers: { Authorization: 'Bearer mine' } }).headers['authorization']).toBe('Bearer mine')
})

test.each<[string, Record<string, string>, string]>([
  ['an invalid number', { OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, 'OTEL_EXPORTER_OTLP_TIMEOUT must be an integer of at least 1'],
  ['an empty queue', { OTEL_BSP_MAX_QUEUE_SIZE: '0' }, 'OTEL_BSP_MAX_QUEUE_SIZE must be an integer of at least 1'],
  ['an address without a scheme', { HEDDLE_BASE_URL: 'h.test:7400' }, 'HEDDLE_BASE_URL must be a URL'],
  ['an unknown compression', { OTEL_EXPORTER_OTLP_COMPRESSION: 'brotli' }, 'OTEL_EXPORTER_OTLP_COMPRESSION must be one of "gzip", "none"'],
  ['malformed headers', { OTEL_EXPORTER_OTLP_HEADERS: 'secret-key' }, 'OTEL_EXPORTER_OTLP_HEADERS must be a list'],
  ['a header with a line break', { OTEL_EXPORTER_OTLP_HEADERS: 'a=b%0D%0Ac: d' }, 'OTEL_EXPORTER_OTLP_HEADERS must be a list'],
  ['JSON', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, 'use createOtlpHttpExporter() to send JSON'],
  ['gRPC', { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'using http/protobuf'],
  ['the word insecure', { OTEL_EXPORTER_OTLP_INSECURE: 'true' }, 'has no effect here'],
  ['a path given twice', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h.test/v1/traces' }, '/v1/traces twice'],
  ['an address without a path', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://h.test' }, 'has no path'],
  ['a key without a scheme', { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=key' }, 'starts neither with "Basic "'],
])('%s logs a warning that names the variable', (_, environment, warning) => {
  const { warnings } = settings(environment)
  expect(warnings.join('\n')).toContain(warning)
  expect(warnings.join('\n')).not.toContain('secret-key')
})

test.each<[string, ExporterOptions, Record<string, string>, string]>([
  [
    'an API key beyond Latin-1',
    { apiKey: 'clé-密' },
    { authorization: 'Basic YXBpOmNsw6kt5a+G' },
    'the API key contains invalid characters',
  ],
  [
    'half of a surrogate pair in a key',
    { apiKey: '\ud800' },
    { authorization: 'Basic YXBpOu+/vQ==' },
    'the API key contains invalid characters',
  ],
  ['half of a surrogate pair in a project', { project: 'a/\ud800' }, {}, 'project "a/\\ud800" is not valid Unicode'],
])('%s is warned of and never throws', (_, options, expected, warning) => {
  const { headers, warnings } = settings({}, options)
  const { 'user-agent': _own, ...rest } = headers
  expect(rest).toEqual(expected)
  expect(warnings).toEqual([expect.stringContaining(warning)])
  expect(warnings.join()).not.toMatch(/密/)
})

test('an empty variable counts as not set', () => {
  expect(settings({ HEDDLE_BASE_URL: '', OTEL_EXPORTER_OTLP_TIMEOUT: ' ' })).toMatchObject({ url: local, timeoutMs: 10_000, warnings: [] })
})

test.each([
  [{ HEDDLE_API_KEY: 'abcdefgh' }, {}, 'in HEDDLE_API_KEY ending in "efgh"'],
  [{}, { apiKey: 'abcdefgh' }, 'in the option apiKey ending in "efgh"'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'wandb-api-key=abcdefgh' }, {}, 'in OTEL_EXPORTER_OTLP_HEADERS ending in "efgh"'],
  [{}, {}, 'missing: set HEDDLE_API_KEY'],
])('the key of %j and %j is described by where it is', (environment, options, hint) => {
  expect(settings(environment as Record<string, string>, options).keyHint).toBe(hint)
})
