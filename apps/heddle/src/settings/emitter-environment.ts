export interface EmitterTarget {
  /** Address of the server, without a slash at the end. */
  baseUrl: string
  apiKey: string
  /** `entity/project`. */
  project: string
}

/**
 * Variables with which a program that already has OpenTelemetry sends its traces here. Only traces: general endpoint variables
 * would redirect its metrics and logs too. The key goes in a header without a space, since not every SDK decodes header values,
 * and the names have no underscore, since some proxies drop headers that have.
 */
export function otelEnvironment({ baseUrl, apiKey, project }: EmitterTarget): Record<string, string> {
  return {
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${baseUrl}/otel/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: `wandb-api-key=${headerValue(apiKey)},project-id=${headerValue(project)}`,
  }
}

/** Variables with which an existing Python client records here. */
export function pythonClientEnvironment({ baseUrl, apiKey }: EmitterTarget): Record<string, string> {
  return { WANDB_BASE_URL: baseUrl, WANDB_API_KEY: apiKey }
}

/** Percent-encodes what the header list cannot hold as it is; slashes stay readable. */
function headerValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2F', '/')
}
