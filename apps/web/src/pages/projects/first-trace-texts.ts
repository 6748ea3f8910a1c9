/** Where a program sends its traces, and with which key. */
export interface Destination {
  /** Address of the server, without a trailing slash. */
  url: string
  project: string
  key: string
}

/** Used in commands until a key is created. */
export const placeholder = 'KEY'

/** How a program may send its first trace. */
export const waysToSend = ['node', 'python', 'opentelemetry', 'curl'] as const
export type WayToSend = (typeof waysToSend)[number]

export const wayNames: Readonly<Record<WayToSend, string>> = {
  node: 'Node',
  python: 'Python',
  opentelemetry: 'OpenTelemetry',
  curl: 'curl',
}

/** A small agent, to be saved as app.mjs: it waits as a model would, and no line of it refers to Heddle. */
const nodeProgram = `import { trace } from '@opentelemetry/api'

const tracer = trace.getTracer('first-trace')
const said = (role, content) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

await tracer.startActiveSpan('answer a question', async (agent) => {
  const search = tracer.startSpan('search the manual')
  await wait(50)
  search.end()

  const chat = tracer.startSpan('chat', { attributes: { 'gen_ai.request.model': 'example-model' } })
  chat.setAttribute('gen_ai.input.messages', said('user', 'How do I reset my password?'))
  await wait(400)
  chat.setAttribute('gen_ai.output.messages', said('assistant', 'Open the settings, then Reset.'))
  chat.end()

  agent.end()
})`

/** That of `docs/clients/openai.md`. */
const pythonProgram = `from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)

messages = [{"role": "user", "content": "Please count to three."}]
answer = OpenAI().chat.completions.create(model="gpt-5-mini", messages=messages)
print(answer.choices[0].message.content)
provider.shutdown()`

interface Program {
  /** Installs what sends its traces. */
  install: string
  program: string
  /** Name of its file. */
  file: string
}

/** Example programs, and what they need. */
export const programs: Readonly<Record<'node' | 'python', Program>> = {
  node: {
    install: 'npm install @heddle/otel-exporter @opentelemetry/api @opentelemetry/sdk-trace-node',
    program: nodeProgram,
    file: 'app.mjs',
  },
  python: {
    install: 'pip install openai openinference-instrumentation-openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
    program: pythonProgram,
    file: 'app.py',
  },
}

/** A trace of one span that ends now, as a request to `/otel/v1/traces`. `newId` returns 32 hexadecimal digits. */
export function firstSpan({ nowMs, newId }: { nowMs: number; newId: () => string }): string {
  const span = {
    traceId: newId(),
    spanId: newId().slice(0, 16),
    name: 'hello',
    kind: 1,
    startTimeUnixNano: `${nowMs - 1}000000`,
    endTimeUnixNano: `${nowMs}000000`,
    status: { code: 1 },
  }
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
}

/** The commands that run a program, or send `span`. */
export function runCommands(way: WayToSend, destination: Destination, span: string): string {
  const { url, project, key } = destination
  switch (way) {
    case 'node':
      return [
        `export HEDDLE_BASE_URL=${url} HEDDLE_API_KEY=${key} HEDDLE_PROJECT=${project} HEDDLE_SPANS=all`,
        `node --import @heddle/otel-exporter/register ${programs.node.file}`,
      ].join('\n')
    case 'python':
      return `${openTelemetryVariables(destination)}\npython ${programs.python.file}`
    case 'opentelemetry':
      return openTelemetryVariables(destination)
    case 'curl':
      return `curl ${url}/otel/v1/traces -u 'api:${key}' -H 'project-id: ${project}' -H 'content-type: application/json' -d '${span}'`
  }
}

function openTelemetryVariables({ url, project, key }: Destination): string {
  return [
    'export OTEL_TRACES_EXPORTER=otlp',
    'export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}/otel/v1/traces`,
    `export OTEL_EXPORTER_OTLP_TRACES_HEADERS="wandb-api-key=${key},project-id=${project}"`,
  ].join('\n')
}
