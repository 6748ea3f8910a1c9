import { z } from 'zod'
import type { ClusterJob, ClusterJobs } from './cluster-jobs.ts'
import { type ClusterRequest, type ClusterResponse, parseResponse, type SendToCluster, unexpectedResponse } from './cluster-api.ts'
import { LauncherError } from './engine-launcher.ts'
import { isJobOf } from './job-launcher.ts'
import { lastWords } from './last-words.ts'
import { type ManifestOptions, serverLabel, settingsAnnotation, toJobManifest, toServiceManifest } from './kubernetes-manifests.ts'

export interface KubernetesJobsOptions extends ManifestOptions {
  send: SendToCluster
  place: string
  namespace: string
}

const JobObject = z.object({
  metadata: z.object({
    name: z.string(),
    annotations: z.record(z.string(), z.string()).nullish(),
    deletionTimestamp: z.string().nullish(),
  }),
  status: z
    .object({
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), reason: z.string().nullish(), message: z.string().nullish() }))
        .nullish(),
    })
    .nullish(),
})
type JobObject = z.output<typeof JobObject>

const ContainerState = z.object({
  waiting: z.object({ reason: z.string().nullish(), message: z.string().nullish() }).nullish(),
  terminated: z.object({ reason: z.string().nullish(), message: z.string().nullish(), exitCode: z.number().nullish() }).nullish(),
})
const PodObject = z.object({
  metadata: z.object({ deletionTimestamp: z.string().nullish() }),
  status: z
    .object({
      phase: z.string().nullish(),
      conditions: z.array(z.object({ type: z.string(), status: z.string(), message: z.string().nullish() })).nullish(),
      containerStatuses: z.array(z.object({ state: ContainerState.nullish() })).nullish(),
    })
    .nullish(),
})
type PodObject = z.output<typeof PodObject>

const ServiceObject = z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()).nullish() }) })

/**
 * Training servers as Jobs (batch/v1) of Kubernetes, one pod each, which one Service of the same name reaches:
 * https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/.
 */
export function createKubernetesJobs(options: KubernetesJobsOptions): ClusterJobs {
  const { send, place, namespace, name, server } = options
  const jobsPath = `/apis/batch/v1/namespaces/${namespace}/jobs`
  const podsPath = `/api/v1/namespaces/${namespace}/pods`
  const servicesPath = `/api/v1/namespaces/${namespace}/services`
  const selector = encodeURIComponent(`${serverLabel}=${name}`)
  const address = server.address ?? `http://${name}.${namespace}.svc`

  /** The response, when it has one of these statuses. */
  async function ask(request: ClusterRequest, statuses: readonly number[]): Promise<ClusterResponse> {
    const response = await send(request)
    if (statuses.includes(response.status)) return response
    throw unexpectedResponse(place, request, { status: response.status, text: messageOf(response.text) })
  }

  async function readObject<T>(schema: z.ZodType<T>, request: ClusterRequest, response: ClusterResponse): Promise<T> {
    const parsed = schema.safeParse(parseResponse(place, request, response))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new LauncherError(`${place} answered ${request.path} with an unknown \`${issue?.path.join('.') ?? ''}\`: ${issue?.message ?? ''}`)
  }

  async function toJob(job: JobObject, signal: AbortSignal): Promise<ClusterJob> {
    const { name: id, annotations, deletionTimestamp } = job.metadata
    const settings = annotations?.[settingsAnnotation] ?? null
    const over = job.status?.conditions?.find(({ type, status }) => (type === 'Failed' || type === 'Complete') && status === 'True')
    // A job that is being deleted may keep its pod for a while.
    if (!over && !deletionTimestamp) return { id, settings, state: stateOf(await readPods(id, signal)) }
    const said = [over?.reason, over?.message, ...(over ? reasonsOf(await readPods(id, signal)) : [])].filter(Boolean).join(': ')
    return {
      id,
      settings,
      state: {
        kind: 'ended',
        reason: `the job ${over ? (over.type === 'Failed' ? 'failed' : 'ended') : 'was deleted'}${said ? `: ${lastWords(said)}` : ''}`,
      },
    }
  }

  async function readPods(id: string, signal: AbortSignal): Promise<PodObject[]> {
    const request: ClusterRequest = { method: 'GET', path: `${podsPath}?labelSelector=${encodeURIComponent(`job-name=${id}`)}`, signal }
    const { items } = await readObject(z.object({ items: z.array(PodObject) }), request, await ask(request, [200]))
    return items.filter(({ metadata }) => !metadata.deletionTimestamp)
  }

  function stateOf(pods: readonly PodObject[]): ClusterJob['state'] {
    if (pods.some(({ status }) => status?.phase === 'Running')) return { kind: 'running', address }
    return { kind: 'pending', detail: lastWords(reasonsOf(pods).join('; ')) || 'its pod was not made yet' }
  }

  /** Nothing else in the namespace may have the name of the Service: it would get the requests. */
  async function ensureService(signal: AbortSignal): Promise<void> {
    const request: ClusterRequest = { method: 'GET', path: `${servicesPath}/${name}`, signal }
    const found = await ask(request, [200, 404])
    if (found.status === 200) {
      const { metadata } = await readObject(ServiceObject, request, found)
      if (metadata.labels?.[serverLabel] === name) return
      throw new LauncherError(
        `${place} has a Service "${name}" in ${namespace} that Heddle did not create; choose another "name" in the launcher file`,
      )
    }
    await ask({ method: 'POST', path: servicesPath, body: toServiceManifest(options), signal }, [201, 409])
  }

  async function remove(id: string, signal: AbortSignal): Promise<void> {
    // The job then remains in lists, and its number in use, until its pod is removed.
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Foreground' }
    await ask({ method: 'DELETE', path: `${jobsPath}/${id}`, body, signal }, [200, 202, 404])
  }

  return {
    place,
    async list(signal) {
      const request: ClusterRequest = { method: 'GET', path: `${jobsPath}?labelSelector=${selector}`, signal }
      const { items } = await readObject(z.object({ items: z.array(JobObject) }), request, await ask(request, [200]))
      return Promise.all(items.filter(({ metadata }) => isJobOf(name, metadata.name)).map((job) => toJob(job, signal)))
    },
    async read(id, signal) {
      const request: ClusterRequest = { method: 'GET', path: `${jobsPath}/${id}`, signal }
      const response = await ask(request, [200, 404])
      return response.status === 404 ? null : toJob(await readObject(JobObject, request, response), signal)
    },
    async submit(job, signal) {
      await ensureService(signal)
      const { status } = await ask({ method: 'POST', path: jobsPath, body: toJobManifest(options, job), signal }, [201, 409])
      return status === 201 ? 'submitted' : 'exists'
    },
    // A job has no other end than its deletion; its pod gets 30 s for it.
    stop: remove,
    remove,
  }
}

/** Why a pod does not run: what its container waits for or ended with, or what keeps it from a machine. */
function reasonsOf(pods: readonly PodObject[]): string[] {
  return pods.flatMap(({ status }) => {
    const containers = (status?.containerStatuses ?? []).flatMap(({ state }) => {
      const { waiting, terminated } = state ?? {}
      if (terminated)
        return [
          `${terminated.reason ?? 'Terminated'} with exit code ${terminated.exitCode ?? '?'}${terminated.message ? `: ${terminated.message}` : ''}`,
        ]
      return waiting ? [[waiting.reason, waiting.message].filter(Boolean).join(': ')] : []
    })
    const unscheduled = (status?.conditions ?? []).filter((each) => each.type === 'PodScheduled' && each.status === 'False')
    return [...containers, ...unscheduled.map(({ message }) => message ?? 'no machine has room for its pod')]
  })
}

/** The words of a `Status` object, which errors of the API are. */
function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    return typeof message === 'string' ? message : text
  } catch {
    return text
  }
}
