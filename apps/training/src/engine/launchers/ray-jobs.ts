import { z } from 'zod'
import type { ClusterJob, ClusterJobs } from './cluster-jobs.ts'
import { type ClusterRequest, parseResponse, type SendToCluster, unexpectedResponse } from './cluster-api.ts'
import { LauncherError } from './engine-launcher.ts'
import { isJobOf } from './job-launcher.ts'
import { lastWords } from './last-words.ts'
import type { ServerSettings } from './server-settings.ts'

export interface RayJobsOptions {
  send: SendToCluster
  place: string
  /** Prefix of the submission ids. */
  name: string
  server: ServerSettings
  /** Custom resources of the cluster that the server needs, by name. */
  resources: Readonly<Record<string, number>>
}

/** The fields read of a job. Jobs that were not submitted over the API have no submission id. */
const JobDetails = z.object({
  submission_id: z.string().nullish(),
  status: z.enum(['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED']),
  message: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  driver_agent_http_address: z.string().nullish(),
})
type JobDetails = z.output<typeof JobDetails>

const settingsKey = 'heddle_settings'

/** Training servers as jobs of the Ray Jobs API: https://docs.ray.io/en/latest/cluster/running-applications/job-submission/api.html. */
export function createRayJobs({ send, place, name, server, resources }: RayJobsOptions): ClusterJobs {
  async function ask(request: ClusterRequest): Promise<unknown> {
    const response = await send(request)
    if (response.status !== 200) throw unexpectedResponse(place, request, response)
    return parseResponse(place, request, response)
  }

  function parse<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new LauncherError(`${place} answered ${path} with an unknown \`${issue?.path.join('.') ?? ''}\`: ${issue?.message ?? ''}`)
  }

  function toJob(details: JobDetails): ClusterJob {
    const settings = details.metadata?.[settingsKey]
    return { id: details.submission_id ?? '', settings: typeof settings === 'string' ? settings : null, state: stateOf(details) }
  }

  function stateOf({ status, message, driver_agent_http_address: agent }: JobDetails): ClusterJob['state'] {
    const detail = lastWords(message ?? '')
    if (status === 'PENDING') return { kind: 'pending', detail: detail || 'the job has not started yet' }
    if (status !== 'RUNNING') return { kind: 'ended', reason: `the job is ${status.toLowerCase()}: ${detail || 'Ray gives no reason'}` }
    // The driver runs on the machine of this agent.
    const address = server.address ?? addressAt(agent, server.port)
    return address === null
      ? { kind: 'pending', detail: 'Ray does not say yet on which machine the job runs' }
      : { kind: 'running', address }
  }

  return {
    place,
    async list(signal) {
      const path = '/api/jobs/'
      // Other jobs may have fields of newer versions, so only those with this name are parsed.
      const all = parse(z.array(z.looseObject({ submission_id: z.string().nullish() })), await ask({ method: 'GET', path, signal }), path)
      const own = all.filter(({ submission_id: id }) => isJobOf(name, id ?? ''))
      return own.map((each) => toJob(parse(JobDetails, each, path)))
    },
    async read(id, signal) {
      const request: ClusterRequest = { method: 'GET', path: `/api/jobs/${id}`, signal }
      const response = await send(request)
      if (response.status === 404) return null
      if (response.status !== 200) throw unexpectedResponse(place, request, response)
      return toJob(parse(JobDetails, parseResponse(place, request, response), request.path))
    },
    async submit({ id, settings }, signal) {
      const body = {
        entrypoint: server.command,
        submission_id: id,
        metadata: { [settingsKey]: settings },
        runtime_env: { env_vars: server.environment },
        ...(server.cpus !== null && { entrypoint_num_cpus: server.cpus }),
        ...(server.gpus !== null && { entrypoint_num_gpus: server.gpus }),
        ...(server.memoryBytes !== null && { entrypoint_memory: server.memoryBytes }),
        ...(Object.keys(resources).length > 0 && { entrypoint_resources: resources }),
      }
      const request: ClusterRequest = { method: 'POST', path: '/api/jobs/', body, signal }
      const response = await send(request)
      if (response.status === 200) return 'submitted'
      // Ray reports it with 500 or 400, by the version, and a traceback.
      if (response.text.includes(`${id} already exists`)) return 'exists'
      throw unexpectedResponse(place, request, response)
    },
    async stop(id, signal) {
      const request: ClusterRequest = { method: 'POST', path: `/api/jobs/${id}/stop`, signal }
      const response = await send(request)
      if (response.status !== 200 && response.status !== 404) throw unexpectedResponse(place, request, response)
    },
    async remove(id, signal) {
      const request: ClusterRequest = { method: 'DELETE', path: `/api/jobs/${id}`, signal }
      const response = await send(request)
      if (response.status !== 200 && response.status !== 404) throw unexpectedResponse(place, request, response)
    },
  }
}

function addressAt(agent: string | null | undefined, port: number): string | null {
  return agent && URL.canParse(agent) ? `http://${new URL(agent).hostname}:${port}` : null
}
