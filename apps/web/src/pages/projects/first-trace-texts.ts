/** Where a program sends its traces, and with which key. */
export interface Destination {
  /** Address of the server, without a trailing slash. */
  url: string
  project: string
  key: string
}

/** Used in commands until a key is created. */
export const placeholder = 'KEY'

/** A small agent, to be saved as app.mjs: it waits as a model would, and no line of it refers to Heddle. */
export const exampleProgram = `import { trace } from '@opentelemetry/api'

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

export const installCommand = 'npm install @heddle/otel-exporter @opentelemetry/api @opentelemetry/sdk-trace-node'

export function nodeCommands({ url, project, key }: Destination): string {
  return [
    `export HEDDLE_BASE_URL=${url} HEDDLE_API_KEY=${key} HEDDLE_PROJECT=${project} HEDDLE_SPANS=all`,
    'node --import @heddle/otel-exporter/register app.mjs',
  ].join('\n')
}

export function openTelemetryVariables({ url, project, key }: Destination): string {
  return [
    'export OTEL_TRACES_EXPORTER=otlp',
    'export OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=${url}/otel/v1/traces`,
    `export OTEL_EXPORTER_OTLP_TRACES_HEADERS="wandb-api-key=${key},project-id=${project}"`,
  ].join('\n')
}
