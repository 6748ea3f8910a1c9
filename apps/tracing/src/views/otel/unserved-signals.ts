import type { UnservedBodies } from '@heddle/service-kit'

/** OpenTelemetry exporters append a path per signal to one base endpoint, and log the body of an error response. */
export const unservedSignals: UnservedBodies = {
  prefixes: ['/v1/metrics', '/otel/v1/metrics', '/v1development/profiles', '/otel/v1development/profiles'],
  body: ({ method, path }) => {
    const signal = path.endsWith('/metrics') ? 'METRICS' : 'PROFILES'
    const wayOut = `set OTEL_${signal}_EXPORTER=none, or another address in OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`
    return { detail: `${method} ${path} is not served; Heddle takes traces and logs: ${wayOut}` }
  },
}
