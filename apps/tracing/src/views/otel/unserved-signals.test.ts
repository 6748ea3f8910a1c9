import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test.each([
  ['/v1/metrics', 'METRICS'],
  ['/otel/v1/metrics', 'METRICS'],
  ['/v1development/profiles', 'PROFILES'],
])('an exporter that sends to %s learns how to leave that out', async (path, signal) => {
  const { status, body } = await sendRaw(app, { path, body: {} })
  expect({ status, body }).toEqual({
    status: 404,
    body: {
      detail: `POST ${path} is not served; Heddle takes traces and logs: set OTEL_${signal}_EXPORTER=none, or another address in OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`,
    },
  })
})
