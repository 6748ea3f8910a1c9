import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { LaunchLimits } from './launched-server.ts'
import type { ServerSettings } from './server-settings.ts'

/** An address to which paths are added. */
const plainUrl = z
  .string()
  .refine(isPlainAddress, 'it must start with http:// or https:// and have no credentials, query or fragment')
  .transform((url) => url.replace(/\/+$/, ''))
const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a variable is named by letters, digits and _')
const nothing = z.null().default(null)

const common = {
  name: z
    .string()
    .regex(/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/, 'it must be lower-case letters, digits and -, begin with a letter, and have at most 40')
    .default('heddle-training'),
  command: z.string().min(1).max(20_000),
  port: z.int().min(1).max(65_535).default(8_000),
  environment: z.record(variableName, z.string()).default({}),
  cpus: z.number().positive().or(nothing),
  gpus: z.number().nonnegative().or(nothing),
  memory_bytes: z.int().positive().or(nothing),
  address: plainUrl.or(nothing),
  start_seconds: z.number().min(1).max(86_400).default(600),
  starts_per_hour: z.int().min(1).max(60).default(5),
  when_heddle_stops: z.enum(['stop', 'keep']).default('stop'),
}

const LauncherFile = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ray'), url: plainUrl, resources: z.record(z.string(), z.number().positive()).default({}), ...common }),
])
type LauncherFile = z.output<typeof LauncherFile>

/** What an operator decides about a server that Heddle starts on a cluster. */
export interface LauncherSettings {
  /** What the jobs of the cluster are named after; another Heddle on the same cluster needs another name. */
  name: string
  cluster: { kind: 'ray'; url: string; resources: Readonly<Record<string, number>> }
  server: ServerSettings
  limits: LaunchLimits
  stopsAtEnd: boolean
  /** Of all that the server is started with. */
  digest: string
}

/** Reads the JSON of a launcher file; `docs/launchers.md` describes it. @throws Error that names the key and what it may be */
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
  const { name, command, port, environment, cpus, gpus, memory_bytes: memoryBytes, address } = file
  const server = { command, port, environment, cpus, gpus, memoryBytes, address }
  const cluster = { kind: file.kind, url: file.url, resources: file.resources }
  return {
    name,
    cluster,
    server,
    limits: { startMs: file.start_seconds * 1_000, startsPerHour: file.starts_per_hour },
    stopsAtEnd: file.when_heddle_stops === 'stop',
    digest: createHash('sha256').update(JSON.stringify({ cluster, server })).digest('hex').slice(0, 32),
  }
}

function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return (protocol === 'http:' || protocol === 'https:') && [username, password, search, hash].every((part) => part === '')
}
