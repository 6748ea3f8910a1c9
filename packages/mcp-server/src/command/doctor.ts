import { isApiError, tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { withoutRedirects } from '../connection/connect-services.ts'
import type { ServerOptions } from '../connection/server-options.ts'

export interface DoctorFinding {
  name: string
  state: 'ok' | 'warning' | 'failure'
  detail: string
}

const oldestNode = [20, 19] as const
const maxSkewMs = 60_000
const timeoutMs = 5_000

/** Checks the server's requirements, with a fix for each missing one. */
export async function* examine(options: ServerOptions, nodeVersion: string, now: () => number = Date.now): AsyncGenerator<DoctorFinding> {
  yield checkNode(nodeVersion)
  yield options.apiKey === undefined
    ? { name: 'API key', state: 'failure', detail: 'there is none; set HEDDLE_API_KEY to a key from `heddle keys create`' }
    : { name: 'API key', state: 'ok', detail: 'is set' }
  yield options.project === undefined
    ? { name: 'Project', state: 'warning', detail: 'there is no default; set HEDDLE_PROJECT, or every call has to name one' }
    : { name: 'Project', state: 'ok', detail: options.project }
  yield* checkTracing(options, now)
  yield await checkTraining(options)
}

function checkNode(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  return isOld
    ? { name: 'Node', state: 'failure', detail: `${version} is too old; install ${oldestNode.join('.')} or later` }
    : { name: 'Node', state: 'ok', detail: version }
}

async function* checkTracing(options: ServerOptions, now: () => number): AsyncGenerator<DoctorFinding> {
  const { baseUrl, apiKey } = options
  const send = withoutRedirects(options.fetch)
  let skewMs: number | undefined
  const fetchWithDate: typeof fetch = async (input, init) => {
    const response = await send(input, init)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(date)) skewMs = now() - date
    return response
  }
  const client = createClient({
    baseUrl,
    contract: tracing,
    retries: 0,
    timeoutMs,
    fetch: fetchWithDate,
    ...(apiKey !== undefined && { apiKey }),
  })
  try {
    const { version } = await client.service.version()
    yield { name: 'Service', state: 'ok', detail: `${baseUrl} runs version ${version}` }
  } catch (error) {
    yield { name: 'Service', state: 'failure', detail: `${reasonOf(error)}; start it with \`heddle serve\`, or set HEDDLE_BASE_URL` }
    return
  }
  if (skewMs !== undefined && Math.abs(skewMs) > maxSkewMs) {
    yield {
      name: 'Clock',
      state: 'warning',
      detail: `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service; ranges such as "last week" are off by that`,
    }
  }
  if (apiKey === undefined) return
  try {
    await client.service.projectsInfo({ project_ids: [] })
    yield { name: 'Credential', state: 'ok', detail: 'the service takes the key' }
  } catch (error) {
    yield { name: 'Credential', state: 'failure', detail: `${reasonOf(error)}; create a key with \`heddle keys create\`` }
  }
}

async function checkTraining(options: ServerOptions): Promise<DoctorFinding> {
  const { baseUrl, trainingBaseUrl = baseUrl, apiKey, fetch } = options
  const client = createClient({
    baseUrl: trainingBaseUrl,
    contract: training,
    retries: 0,
    timeoutMs,
    fetch: withoutRedirects(fetch),
    ...(apiKey !== undefined && { apiKey }),
  })
  try {
    await client.health.check()
    return { name: 'Training', state: 'ok', detail: trainingBaseUrl }
  } catch (error) {
    return {
      name: 'Training',
      state: 'warning',
      detail: `${reasonOf(error)}; training tools will fail, or leave them out with --toolsets evals,traces`,
    }
  }
}

function reasonOf(error: unknown): string {
  return isApiError(error) ? error.message.slice(0, 200) : error instanceof Error ? error.message : String(error)
}
