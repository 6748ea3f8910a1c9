import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const name = z.string().regex(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)
const labels = z.record(z.string().regex(/^([a-z.]+\/)?[a-z-]+$/), z.string().max(63))
const quantity = z.record(z.string(), z.string().regex(/^\d+(\.\d+)?$/))
const metadata = z.strictObject({ name, labels, annotations: z.record(z.string(), z.string()).optional() })

/** What the API reference has for the fields that are sent; the API server refuses unknown ones when it is asked to be strict. */
const Container = z.strictObject({
  name,
  image: z.string(),
  command: z.array(z.string()),
  env: z.array(z.strictObject({ name: z.string(), value: z.string().optional(), valueFrom: z.looseObject({}).optional() })),
  ports: z.array(z.strictObject({ name: name.max(15), containerPort: z.int().min(1).max(65_535) })),
  resources: z.strictObject({ requests: quantity, limits: quantity }),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string() })).optional(),
})
const JobManifest = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  metadata,
  spec: z.strictObject({
    backoffLimit: z.int().min(0),
    template: z.strictObject({
      metadata: z.strictObject({ labels }),
      spec: z.strictObject({
        restartPolicy: z.enum(['Never', 'OnFailure']),
        terminationGracePeriodSeconds: z.int().min(0),
        containers: z.array(Container).min(1),
        nodeSelector: z.record(z.string(), z.string()).optional(),
        volumes: z.array(z.looseObject({ name })).optional(),
      }),
    }),
  }),
})
const ServiceManifest = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    type: z.literal('ClusterIP'),
    selector: labels,
    ports: z.array(z.strictObject({ name, port: z.int(), targetPort: z.string() })),
  }),
})
const DeleteOptions = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('DeleteOptions'),
  propagationPolicy: z.enum(['Foreground', 'Background', 'Orphan']),
})

export interface KubernetesApi {
  url: string
  jobs: Map<string, z.output<typeof JobManifest> & { status: object; deletionTimestamp?: string }>
  services: Map<string, { metadata: object }>
  /** Pods by the job that made them; a test sets their status. */
  pods: Map<string, { status: object }[]>
  /** Methods and paths of all requests with their tokens, in order. */
  requests: string[]
  fault: ((request: string) => number | undefined) | null
  /** Sets the status of the only pod of a job. */
  pod(job: string, status: object): void
  /** Ends a job as its controller does when its pod has failed. */
  fail(job: string): void
  close(): Promise<void>
}

/** Answers as the API server of Kubernetes does for Jobs, pods and Services of the namespace `trainers`, and refuses what does not fit its reference. */
export async function startKubernetesApi(): Promise<KubernetesApi> {
  const api: Omit<KubernetesApi, 'url' | 'close'> = {
    jobs: new Map(),
    services: new Map(),
    pods: new Map(),
    requests: [],
    fault: null,
    pod: (job, status) => void api.pods.set(job, [{ status }]),
    fail(job) {
      api.jobs.get(job)!.status = {
        failed: 1,
        conditions: [
          { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
        ],
      }
    },
  }

  const failure = (code: number, reason: string, message: string) =>
    [code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }] as [number, object]
  const notFound = (kind: string, id: string) => failure(404, 'NotFound', `${kind} "${id}" not found`)

  function create<T extends { metadata: { name: string } }>(
    kind: string,
    schema: z.ZodType<T>,
    body: unknown,
    into: Map<string, unknown>,
    extra: object,
  ) {
    const parsed = schema.safeParse(body)
    if (!parsed.success) return failure(422, 'Invalid', z.prettifyError(parsed.error))
    const { name: id } = parsed.data.metadata
    if (into.has(id)) return failure(409, 'AlreadyExists', `${kind} "${id}" already exists`)
    into.set(id, { ...parsed.data, ...extra })
    return [201, into.get(id)] as [number, object]
  }

  const jobOf = (id: string) => {
    const { deletionTimestamp, ...job } = api.jobs.get(id)!
    return { ...job, metadata: { ...job.metadata, uid: `uid-${id}`, ...(deletionTimestamp && { deletionTimestamp }) } }
  }

  function answer(method: string, url: URL, body: unknown): [number, object] {
    const [, group, kind, id] = /^\/(api\/v1|apis\/batch\/v1)\/namespaces\/trainers\/(\w+)(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    const [key, value] = (url.searchParams.get('labelSelector') ?? '=').split('=') as [string, string]
    const resource = `${method} ${group} ${kind}${id === undefined ? '' : ' one'}`
    switch (resource) {
      case 'GET apis/batch/v1 jobs': {
        const found = [...api.jobs.values()].filter((job) => job.metadata.labels[key] === value)
        return [200, { kind: 'JobList', apiVersion: 'batch/v1', items: found.map((job) => jobOf(job.metadata.name)) }]
      }
      case 'POST apis/batch/v1 jobs':
        return create('jobs.batch', JobManifest, body, api.jobs, { status: {} })
      case 'GET apis/batch/v1 jobs one':
        return api.jobs.has(id!) ? [200, jobOf(id!)] : notFound('jobs.batch', id!)
      case 'DELETE apis/batch/v1 jobs one': {
        const job = api.jobs.get(id!)
        if (!job) return notFound('jobs.batch', id!)
        if (DeleteOptions.parse(body).propagationPolicy === 'Foreground' && api.pods.has(id!))
          job.deletionTimestamp = '2026-11-01T00:00:00Z'
        else api.jobs.delete(id!)
        return [200, {}]
      }
      case 'GET api/v1 pods': {
        const items = key === 'job-name' ? (api.pods.get(value) ?? []) : []
        return [
          200,
          { kind: 'PodList', apiVersion: 'v1', items: items.map(({ status }) => ({ metadata: { name: `${value}-x7k2p` }, status })) },
        ]
      }
      case 'GET api/v1 services one':
        return api.services.has(id!) ? [200, api.services.get(id!)!] : notFound('services', id!)
      case 'POST api/v1 services':
        return create('services', ServiceManifest, body, api.services, {})
      default:
        return failure(404, 'NotFound', 'the server could not find the requested resource')
    }
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`
    api.requests.push(`${line} ${request.headers.authorization ?? ''}`)
    const body = await text(request)
    const fault = api.fault?.(line)
    const [status, value] = fault
      ? failure(fault, 'Forbidden', 'jobs.batch is forbidden: User "heddle" cannot list resource "jobs"')
      : answer(request.method!, new URL(request.url!, 'http://api'), body === '' ? null : JSON.parse(body))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return Object.assign(api, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
