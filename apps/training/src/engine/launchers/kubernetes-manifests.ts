import type { ServerSettings } from './server-settings.ts'

export interface ManifestOptions {
  name: string
  server: ServerSettings
  image: string
  /** Fields of the pod's spec in addition to ours, as Kubernetes names them: volumes, node selectors, tolerations. */
  pod: Readonly<Record<string, unknown>>
  /** Fields of its container: volume mounts, variables from secrets. */
  container: Readonly<Record<string, unknown>>
}

/** On all that belongs to one server name. */
export const serverLabel = 'heddle.dev/training-server'
export const settingsAnnotation = 'heddle.dev/settings'
const portName = 'tinker'

export function labelsOf(name: string): Record<string, string> {
  return { [serverLabel]: name, 'app.kubernetes.io/managed-by': 'heddle' }
}

/** One pod that is never started again: when and how often is decided here, the same on every cluster. */
export function toJobManifest(
  { name, server, image, pod, container }: ManifestOptions,
  { id, settings }: { id: string; settings: string },
): object {
  const labels = labelsOf(name)
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: id, labels, annotations: { [settingsAnnotation]: settings } },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 30,
          ...pod,
          restartPolicy: 'Never',
          containers: [toContainer({ server, image, container })],
        },
      },
    },
  }
}

function toContainer({ server, image, container }: Pick<ManifestOptions, 'server' | 'image' | 'container'>): object {
  const { env = [], ...rest } = container
  return {
    resources: resourcesOf(server),
    ...rest,
    name: 'server',
    image,
    command: ['sh', '-c', server.command],
    env: [...Object.entries(server.environment).map(([name, value]) => ({ name, value })), ...(env as unknown[])],
    ports: [{ name: portName, containerPort: server.port }],
  }
}

/** GPUs and memory are limits as well as requests; the first cannot be shared, and the second kills the process that has too much instead of another. */
function resourcesOf({ cpus, gpus, memoryBytes }: ServerSettings): object {
  const limits = {
    ...(memoryBytes !== null && { memory: String(memoryBytes) }),
    ...(gpus !== null && gpus > 0 && { 'nvidia.com/gpu': String(gpus) }),
  }
  return { requests: { ...(cpus !== null && { cpu: String(cpus) }), ...limits }, limits }
}

/** Its port is unchanged when that of the server changes. */
export function toServiceManifest({ name }: Pick<ManifestOptions, 'name'>): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, labels: labelsOf(name) },
    spec: { type: 'ClusterIP', selector: { [serverLabel]: name }, ports: [{ name: portName, port: 80, targetPort: portName }] },
  }
}
