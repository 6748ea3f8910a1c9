import { tracing } from '@heddle/core-api'
import { tooManyRequests } from '@heddle/core-api/internal'
import { createClient } from '@heddle/core-api/client'
import { HeddleSpanProcessor, type ProcessorOptions } from '@heddle/otel-exporter'
import { createOtlpHttpExporter } from '@heddle/otel-exporter/otlp-http'
import type { Admission } from '@heddle/service-kit'
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCall } from '../contract-tests/testing/call-builders.ts'
import { patientAdmission } from '@heddle/service-kit/testing'
import { readCalls } from './testing/call-tree.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

/** Writes that are refused, as where there is more to do than can be done. */
const refused: string[] = []
let refusals = 0

/** Admits everything but the next writes of spans and calls. */
function busyAdmission(): Admission {
  const admission = patientAdmission()
  return {
    ...admission,
    admit(operation, flow) {
      if (refusals === 0 || operation.effect !== 'write' || !/call|otel/.test(operation.path)) return admission.admit(operation, flow)
      refusals--
      refused.push(operation.path)
      throw tooManyRequests('the server is overloaded; retry later', 1)
    },
  }
}

let server: ServerUnderTest
beforeAll(async () => {
  server = await startServer({ admission: busyAdmission() })
})
beforeEach(() => {
  refusals = 1
  refused.length = 0
})
afterEach(() => {
  expect(refused).toHaveLength(1)
  expect(server.failures).toEqual([])
})
afterAll(() => server.close())

test('the client of this house sends again what a busy server refuses, and writes each call once', async () => {
  const client = createClient({ baseUrl: server.url, contract: tracing, apiKey: server.apiKey })
  const project_id = server.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  await client.calls.complete({ entity, project, batch: [aCall({ project_id }), aCall({ project_id })] })
  expect(await readCalls(server, project_id)).toHaveLength(2)
})

test.each<[string, (settings: ProcessorOptions) => SpanProcessor]>([
  ['the processor', (settings) => new HeddleSpanProcessor(settings)],
  ['the exporter of OpenTelemetry', (settings) => new BatchSpanProcessor(createOtlpHttpExporter(settings))],
])('%s keeps the spans that a busy server refuses, and sends each once', async (_, createProcessor) => {
  const project = server.newProject()
  const processor = createProcessor({ baseUrl: server.url, apiKey: server.apiKey, project, environment: {} })
  const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer('busy')
  for (let index = 0; index < 50; index++) tracer.startSpan('step').end()
  await processor.forceFlush()
  await processor.shutdown()
  expect(await readCalls(server, project)).toHaveLength(50)
})

test('the JavaScript client keeps the batches that a busy server refuses, and writes each call once', async () => {
  const project_id = server.newProject()
  const env = { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey }
  await runProgram({ name: 'js-busy.mjs', args: [project_id], env })
  expect((await readCalls(server, project_id)).map(({ output }) => output)).toEqual([0, 1, 2, 3])
  expect(refused).toEqual(['/call/upsert_batch'])
})
