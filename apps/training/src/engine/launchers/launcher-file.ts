import { createHash } from 'node:crypto'
import { isPlainAddress } from '@heddle/outgoing'
import { z } from 'zod'
import type { LaunchLimits } from './launched-server.ts'
import type { ManifestOptions } from './kubernetes-manifests.ts'
import type { ServerSettings } from './server-settings.ts'
import { serviceAccountFolder } from './service-account.ts'

/** An address to which paths are added. */
const plainUrl = z
  .string()
  .refine(isPlainAddress, 'it must start with http:// or https:// and have no credentials, query or fragment')
  .transform((url) => url.replace(/\/+$/, ''))
const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is named by letters, digits and _')
const nothing = z.null().default(null)
const dnsLabel = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'it must be lower-case letters, digits and -, at most 63')

const common = {
  name: z
    .string()
    .regex(/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/, 'it must be lower-case letters, digits and -, begin with a letter, and have at most 40')
    .default('heddle-training'),
  command: z.string().min(1).max(20_000),
  port: z.int().min(1).max(65_535).default(8_000),
  environment: z.record(variableName, z.string()).default({}),
  address: plainUrl.or(nothing),
  start_seconds: z.number().min(1).max(86_400).default(600),
  starts_per_hour: z.int().min(1).max(60).default(5),
  when_heddle_stops: z.enum(['stop', 'keep']).default('stop'),
}

/** What only a cluster reserves. */
const resources = {
  cpus: z.number().positive().or(nothing),
  gpus: z.number().nonnegative().or(nothing),
  memory_bytes: z.int().positive().or(nothing),
}

const LauncherFile = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('process'), ...common }),
  z.strictObject({
    kind: z.literal('ray'),
    url: plainUrl,
    resources: z.record(z.string(), z.number().positive()).default({}),
    ...common,
    ...resources,
  }),
  z.strictObject({
    kind: z.literal('kubernetes'),
    url: plainUrl.default('https://kubernetes.default.svc'),
    namespace: dnsLabel.or(nothing),
    image: z.string().min(1).max(1_000),
    token_file: z.string().min(1).default(`${serviceAccountFolder}/token`),
    ca_file: z.string().min(1).default(`${serviceAccountFolder}/ca.crt`),
    pod: z.record(z.string(), z.unknown()).default({}),
    container: z.looseObject({ env: z.array(z.unknown()).optional() }).default({}),
    ...common,
    ...resources,
  }),
  z.strictObject({
    kind: z.literal('slurm'),
    folder: z.string().regex(/^\/[^%]*$/, 'it must be an absolute path without %'),
    options: z
      .array(z.string().regex(/^--[a-z]/, 'an option of sbatch begins with -- and its name'))
      .max(100)
      .default([]),
    ...common,
    ...resources,
    gpus: z.int().nonnegative().or(nothing),
  }),
])
type LauncherFile = z.output<typeof LauncherFile>

/** The machine of Heddle itself. */
export interface OwnMachine {
  kind: 'process'
}

export interface RayCluster {
  kind: 'ray'
  url: string
  resources: Readonly<Record<string, number>>
}

export interface KubernetesCluster extends Pick<ManifestOptions, 'image' | 'pod' | 'container'> {
  kind: 'kubernetes'
  url: string
  /** Null: that of the service account. */
  namespace: string | null
  /** Read when no token was given, before each request. */
  tokenFile: string
  /** PEM of the authority of the cluster's certificate. If the file does not exist, the system's authorities apply. */
  authorityFile: string
}

/** A cluster whose commands are installed on the machine of Heddle. */
export interface SlurmCluster {
  kind: 'slurm'
  /** On a disk that the machines of the cluster share with this one. */
  folder: string
  /** Further options of `sbatch`. */
  options: readonly string[]
}

/** What an operator decides about a server that Heddle starts on a cluster. */
export interface LauncherSettings {
  /** Prefix of the cluster's jobs; another Heddle on the same cluster needs another name. */
  name: string
  cluster: OwnMachine | RayCluster | KubernetesCluster | SlurmCluster
  server: ServerSettings
  limits: LaunchLimits
  stopsAtEnd: boolean
  /** Digest of all settings of the server. */
  digest: string
}

/** Reads the JSON of a launcher file; `docs/launchers.md` describes it. @throws Error that names the key and its permitted values */
export function parseLauncherFile(text: string): LauncherSettings {
  const parsed = LauncherFile.safeParse(parseJson(text))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const key = issue?.path.join('.')
    throw new Error(`${key ? `"${key}" does not fit: ` : ''}${issue?.message ?? 'it has the wrong form'}`)
  }
  return toSettings(parsed.data)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The words of the parser show a piece of the text, which may be a secret of the environment.
    throw new Error('not valid JSON')
  }
}

function toSettings(file: LauncherFile): LauncherSettings {
  const { name, command, port, environment, address } = file
  const server = { command, port, environment, ...resourcesOf(file), address }
  const cluster = toCluster(file)
  return {
    name,
    cluster,
    server,
    limits: { startMs: file.start_seconds * 1_000, startsPerHour: file.starts_per_hour },
    stopsAtEnd: file.when_heddle_stops === 'stop',
    digest: createHash('sha256').update(JSON.stringify({ cluster, server })).digest('hex').slice(0, 32),
  }
}

function resourcesOf(file: LauncherFile): Pick<ServerSettings, 'cpus' | 'gpus' | 'memoryBytes'> {
  if (file.kind === 'process') return { cpus: null, gpus: null, memoryBytes: null }
  return { cpus: file.cpus, gpus: file.gpus, memoryBytes: file.memory_bytes }
}

function toCluster(file: LauncherFile): LauncherSettings['cluster'] {
  if (file.kind === 'process') return { kind: file.kind }
  if (file.kind === 'ray') return { kind: file.kind, url: file.url, resources: file.resources }
  if (file.kind === 'slurm') return { kind: file.kind, folder: file.folder, options: file.options }
  const { kind, url, namespace, image, pod, container, token_file: tokenFile, ca_file: authorityFile } = file
  return { kind, url, namespace, image, pod, container, tokenFile, authorityFile }
}
