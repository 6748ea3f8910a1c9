import { otlpTracesPath } from '@heddle/core-api/attributes'
import type { PipelineSettings } from '../sending/pipeline-settings.ts'
import { version } from '../version.ts'
import { readEnvironment } from './environment.ts'
import type { ExporterOptions, ExporterSettings } from './exporter-options.ts'
import { toAuthorization, toProjectHeader } from './request-headers.ts'
import { createVariables, type Variables } from './read-variables.ts'

const defaultBaseUrl = 'http://127.0.0.1:7400'
const megabyte = 1024 * 1024

/** The two names of a standard variable, of which the one for traces wins. */
const standard = (name: string) => [`OTEL_EXPORTER_OTLP_TRACES_${name}`, `OTEL_EXPORTER_OTLP_${name}`] as const

/**
 * Decides every setting: options before `HEDDLE_` variables before those of OpenTelemetry for traces, then for all signals, then defaults.
 * Never throws: an invalid value is reported to `warn` with its name and ignored.
 */
export function toExporterSettings(options: ExporterOptions, warn: (message: string) => void): ExporterSettings {
  const variables = createVariables(options.environment ?? readEnvironment(), warn)
  const url = findUrl(options, variables, warn)
  const apiKey = options.apiKey ?? variables.text('HEDDLE_API_KEY')
  const headers = toHeaders({ options, variables, apiKey, warn })
  warnOfHeaders(headers, warn)
  warnOfProtocol(variables, warn)
  if (variables.text(...standard('INSECURE')) !== undefined) warn('OTEL_EXPORTER_OTLP_INSECURE applies only to gRPC and has no effect here')
  return {
    url,
    headers,
    keyHint: describeKey(options, apiKey, headers),
    timeoutMs: positive('timeoutMs', options.timeoutMs, warn) ?? variables.count(1, ...standard('TIMEOUT')) ?? 10_000,
    compression:
      options.compression ?? variables.oneOf(['gzip', 'none'], ...standard('COMPRESSION')) ?? (isLoopback(url) ? 'none' : 'gzip'),
    tls: {
      certificate: variables.text(...standard('CERTIFICATE')),
      clientCertificate: variables.text(...standard('CLIENT_CERTIFICATE')),
      clientKey: variables.text(...standard('CLIENT_KEY')),
    },
    spoolDir: options.spoolDir ?? variables.text('HEDDLE_SPOOL_DIR'),
    maxSpoolBytes: positive('maxSpoolBytes', options.maxSpoolBytes, warn) ?? 256 * megabyte,
    disabled: options.disabled ?? variables.flag('HEDDLE_DISABLED') ?? false,
    pipeline: toPipelineSettings(options, variables, warn),
  }
}

function toPipelineSettings(options: ExporterOptions, variables: Variables, warn: (message: string) => void): PipelineSettings {
  const given = (name: keyof PipelineSettings & keyof ExporterOptions) => positive(name, options[name], warn)
  return {
    concurrency: given('concurrency') ?? 8,
    scheduleDelayMs: given('scheduleDelayMs') ?? variables.count(0, 'OTEL_BSP_SCHEDULE_DELAY') ?? 5000,
    flushTimeoutMs: given('flushTimeoutMs') ?? variables.count(1, 'OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
    shutdownTimeoutMs: given('shutdownTimeoutMs') ?? 5000,
    maxQueueSpans: given('maxQueueSpans') ?? variables.count(1, 'OTEL_BSP_MAX_QUEUE_SIZE') ?? 20_000,
    maxQueueBytes: given('maxQueueBytes') ?? 32 * megabyte,
    maxBatchSpans: given('maxBatchSpans') ?? variables.count(1, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
    maxBatchBytes: given('maxBatchBytes') ?? 4 * megabyte,
    mode: options.mode ?? 'batch',
  }
}

function positive(name: string, value: unknown, warn: (message: string) => void): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && value >= (name === 'scheduleDelayMs' ? 0 : 1) && Number.isFinite(value)) return value
  warn(`option ${name} must be a positive number; ignoring it`)
  return undefined
}

/** Ours takes a base, the variable for traces a full address, the one for all signals a base of another form. */
function findUrl({ url, baseUrl }: ExporterOptions, variables: Variables, warn: (message: string) => void): string {
  if (url !== undefined && isHttp(url)) return withHints(url, warn)
  if (baseUrl !== undefined && isHttp(baseUrl)) return join(baseUrl, otlpTracesPath)
  if (url !== undefined || baseUrl !== undefined) warn(`URL "${url ?? baseUrl}" must start with http:// or https://; ignoring it`)
  const own = variables.url('HEDDLE_BASE_URL')
  if (own !== undefined) return join(own, otlpTracesPath)
  const [traces, all] = standard('ENDPOINT')
  const full = variables.url(traces)
  if (full !== undefined) return withHints(full, warn)
  const base = variables.url(all)
  return base === undefined ? join(defaultBaseUrl, otlpTracesPath) : withHints(join(base, '/v1/traces'), warn)
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** On the way to a server of the same machine, compressing costs more than it saves: several times what encoding costs. */
function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/** A base that already ends with the path, or with its beginning, is not given it twice. */
function join(base: string, path: string): string {
  const trimmed = base.replace(/\/+$/, '')
  if (path === otlpTracesPath && trimmed.endsWith(path)) return trimmed
  return path === otlpTracesPath && trimmed.endsWith('/otel') ? `${trimmed}/v1/traces` : trimmed + path
}

function withHints(url: string, warn: (message: string) => void): string {
  const { pathname } = new URL(url)
  if (/\/v1\/traces\/v1\/traces\/?$/.test(pathname)) {
    warn(
      'the traces URL ends with /v1/traces twice: OTEL_EXPORTER_OTLP_ENDPOINT is a base URL, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT the full URL',
    )
  } else if (pathname === '/') {
    warn(`the traces URL has no path: a full URL ends with ${otlpTracesPath}`)
  }
  return url
}

function warnOfProtocol(variables: Variables, warn: (message: string) => void): void {
  const named = variables.oneOf(['http/protobuf', 'http/json', 'grpc'], ...standard('PROTOCOL'))
  if (named === 'grpc') warn('OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which Heddle does not support; using http/protobuf')
  if (named === 'http/json')
    warn('OTEL_EXPORTER_OTLP_PROTOCOL is http/json, but http/protobuf is used; use createOtlpHttpExporter() to send JSON')
}

interface HeaderSources {
  options: ExporterOptions
  variables: Variables
  apiKey: string | undefined
  warn: (message: string) => void
}

function toHeaders({ options, variables, apiKey, warn }: HeaderSources): Record<string, string> {
  const [traces, all] = standard('HEADERS')
  const project = options.project ?? variables.text('HEDDLE_PROJECT')
  return {
    ...variables.pairs(all),
    ...variables.pairs(traces),
    ...(apiKey !== undefined && { authorization: toAuthorization(apiKey, warn) }),
    ...(project !== undefined && toProjectHeader(project, warn)),
    ...lowerCased(options.headers ?? {}),
    'user-agent': `@heddle/otel-exporter/${version} OTel-OTLP-Exporter-JavaScript/${version}`,
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function warnOfHeaders({ authorization }: Record<string, string>, warn: (message: string) => void): void {
  if (authorization !== undefined && !/^(Basic|Bearer) /i.test(authorization)) {
    warn('the Authorization header starts neither with "Basic " nor with "Bearer "; set HEDDLE_API_KEY to send a bare key')
  }
}

function describeKey(options: ExporterOptions, apiKey: string | undefined, headers: Record<string, string>): string {
  const ending = (key: string) => `ending in "${key.slice(-4)}"`
  const [given] = [options.headers?.['authorization'] ?? options.headers?.['Authorization']]
  if (given !== undefined) return 'in the option headers'
  if (apiKey !== undefined) return `in ${options.apiKey === undefined ? 'HEDDLE_API_KEY' : 'the option apiKey'} ${ending(apiKey)}`
  const header = headers['authorization'] ?? headers['wandb-api-key']
  return header === undefined ? 'missing: set HEDDLE_API_KEY' : `in OTEL_EXPORTER_OTLP_HEADERS ${ending(header)}`
}
