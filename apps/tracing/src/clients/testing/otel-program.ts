import type { Call } from '@heddle/core-api/types'
import { readCalls } from './call-tree.ts'
import { runProgram } from './run-program.ts'
import type { ServerUnderTest } from './start-server.ts'

export interface OtelProgram {
  /** File in `programs`. */
  name: string
  server: ServerUnderTest
  encoding: Encoding
  /** Base address of the model provider; absent for a program that asks none. */
  modelUrl?: string
  /** Further variables, which win over the standard ones. */
  env?: Record<string, string>
}

/** How spans travel. */
export type Encoding = 'protobuf' | 'json' | 'gzipped protobuf' | 'gzipped json'

/** Runs a program with nothing but the standard variables of OpenTelemetry, and reads the calls that its spans became in a project of its own. */
export async function callsOfProgram({ name, server, encoding, modelUrl, env }: OtelProgram): Promise<Call[]> {
  const project_id = server.newProject()
  const standard = otelEnvironment({ server, project_id, encoding })
  await runProgram({ name, args: [encoding.replace('gzipped ', '')], env: { ...standard, ...modelEnvironment(modelUrl), ...env } })
  return readCalls(server, project_id)
}

function otelEnvironment({
  server,
  project_id,
  encoding,
}: {
  server: ServerUnderTest
  project_id: string
  encoding: Encoding
}): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${server.url}/otel`,
    OTEL_EXPORTER_OTLP_HEADERS: `wandb-api-key=${server.apiKey},project_id=${encodeURIComponent(project_id)}`,
    OTEL_EXPORTER_OTLP_COMPRESSION: encoding.startsWith('gzipped') ? 'gzip' : 'none',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=program-under-test',
  }
}

function modelEnvironment(url: string | undefined): Record<string, string> {
  return url === undefined ? {} : { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'key-of-the-model-provider' }
}
