import { expect, test } from 'vitest'
import { otelEnvironment, pythonClientEnvironment } from './emitter-environment.ts'

const target = { baseUrl: 'http://127.0.0.1:7400', apiKey: 'heddle123', project: 'acme/chat' }

test('OpenTelemetry variables set protocol, endpoint, key and project', () => {
  expect(otelEnvironment(target)).toEqual({
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:7400/otel/v1/traces',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'wandb-api-key=heddle123,project-id=acme/chat',
  })
})

test('characters that end a header in the list are encoded', () => {
  const headers = otelEnvironment({ ...target, apiKey: 'a,b=c', project: 'a b/c,d' })['OTEL_EXPORTER_OTLP_TRACES_HEADERS']
  expect(headers).toBe('wandb-api-key=a%2Cb%3Dc,project-id=a%20b/c%2Cd')
})

test('Python client variables set base URL and key', () => {
  expect(pythonClientEnvironment(target)).toEqual({ WANDB_BASE_URL: 'http://127.0.0.1:7400', WANDB_API_KEY: 'heddle123' })
})
