import { hostname, userInfo } from 'node:os'
import { createIdentity, effects, type Identity, isEffect, isRole, type KeyInfo, type NewKey, roles } from '@heddle/identity'
import type { Configuration } from '../settings/configuration.ts'
import type { ShellChange, StoredKeyMade } from '@heddle/tracing'
import { assertDiskSpace } from '../stores/data-folder.ts'
import { type KeyStores, withKeyStores } from '../stores/key-stores.ts'
import { type Clock, createClock } from '../terminal/clock.ts'
import { systemClock } from '../process/system-clock.ts'
import { parseWhole } from '../terminal/parse-whole.ts'
import { formatTable } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { toTerminalText } from '../terminal/terminal-text.ts'
import { UsageError } from '../terminal/usage-error.ts'

const microsADay = 86_400_000_000

export interface CreateKeyOptions {
  name: string
  role: string
  entity?: string
  /** Each `entity/project`, or `entity/project=role`. */
  project?: string[]
  scope?: string[]
  /** Whole days from now. */
  expiresInDays?: string
  /** Each conversation becomes a trajectory, unless a trajectory is named. */
  record?: boolean
  recordTrajectory?: string
  recordGroup?: string
  json?: boolean
}

/** Creates a key. Only its secret goes to standard output, so that it can be piped; its permissions go to standard error. */
export async function createKey(options: CreateKeyOptions, { configuration, terminal }: KeysDeps): Promise<void> {
  const wanted = toNewKey(options, systemClock())
  const { secret, key } = await withIdentity(configuration, async (identity, { changes }) => {
    await assertDiskSpace(configuration)
    const made = await identity.createKey(wanted)
    const { id, name, user_id, role, scopes } = made.key
    await changes.note(made.key, changeOf('projectKeys.create', { key_id: id, name, user_id, role, ...(scopes.length > 0 && { scopes }) }))
    return made
  })
  if (options.json) return terminal.json(JSON.stringify({ ...toJson(key), secret }, null, 2))
  terminal.note(`Created key ${key.id} (${describe(key)}). This is the only time it is shown:`)
  terminal.out(secret)
}

/** Lists all keys, newest first, without their secrets. */
export async function listKeys({ json }: { json?: boolean }, { configuration, terminal }: KeysDeps): Promise<void> {
  const keys = await withIdentity(configuration, (identity) => identity.listKeys())
  if (json) return terminal.json(JSON.stringify(keys.map(toJson), null, 2))
  if (keys.length === 0) return terminal.note('No keys yet; the first start of the server creates one.')
  const shown = { now: systemClock(), clock: createClock(configuration.timeZone) }
  const head = ['ID', 'NAME', 'KEY', 'ACCESS', `LAST USED (${shown.clock.zone})`, 'STATE']
  terminal.out(formatTable({ head, rows: keys.map((key) => toRow(key, shown)) }))
}

export interface RevokeKeyOptions {
  /** Ends the public links, monitors and webhooks that were made with the key as well. */
  endMade?: boolean
}

/** Ends a key, found by its id or the beginning of it, and lists the public links, monitors and webhooks that were made with it and remain active. */
export async function revokeKey(id: string, { configuration, terminal, endMade = false }: KeysDeps & RevokeKeyOptions): Promise<void> {
  const { key, left } = await withIdentity(configuration, async (identity, { made, changes }) => {
    const found = findOne(await identity.listKeys(), id)
    await identity.revokeKey(found.id)
    const madeWithIt = await made.listOfKey(found.id)
    if (endMade) await made.end(madeWithIt)
    await changes.note(found, changeOf('projectKeys.revoke', { key_id: found.id, name: found.name, ends_made: endMade }))
    return { key: found, left: madeWithIt }
  })
  terminal.note(`Key ${key.id} (${toTerminalText(key.name)}) revoked; running servers reject it from now on.`)
  for (const line of describeMade(left, endMade)) terminal.note(line)
}

const kindNames = { shared_trace: 'public link to the trace', monitor: 'monitor', webhook: 'webhook' } as const

function describeMade(left: readonly StoredKeyMade[], isEnded: boolean): string[] {
  if (left.length === 0) return []
  const lines = left.map(({ kind, name, project_id }) => `  ${kindNames[kind]} ${toTerminalText(name)} of ${toTerminalText(project_id)}`)
  if (isEnded) return ['Ended with it:', ...lines]
  return ['Made with it, and working on (run this again with --end-made to end them):', ...lines]
}

/** Who did it: the user of the operating system, and where. */
function changeOf(operation: string, details: object): ShellChange {
  const where = `heddle keys on ${hostname()}`
  return {
    operation,
    details: JSON.stringify({ ...details, where }),
    user_id: `${osUser()}@${hostname()}`,
    at: systemClock(),
  }
}

/** Containers may run as a user without a name. */
function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

interface KeysDeps {
  configuration: Configuration
  terminal: Terminal
}

function withIdentity<T>(configuration: Configuration, work: (identity: Identity, stores: KeyStores) => Promise<T>): Promise<T> {
  return withKeyStores(configuration, (stores) => work(createIdentity({ store: stores.store, clock: systemClock }), stores))
}

/** @throws UsageError that names the option and what it takes. */
export function toNewKey(options: CreateKeyOptions, now: number): NewKey {
  return {
    name: options.name,
    role: parseRole(options.role, '--role'),
    ...(options.entity === undefined ? {} : { entity: options.entity }),
    scopes: (options.scope ?? []).map(parseScope),
    projects: (options.project ?? []).map((text) => parseProject(text, options.role)),
    ...(options.expiresInDays === undefined
      ? {}
      : { expiresAt: now + parseWhole('--expires-in-days', options.expiresInDays, { to: 36_500 }) * microsADay }),
    ...toRecording(options),
  }
}

function toRecording({ record, recordTrajectory, recordGroup }: CreateKeyOptions): Pick<NewKey, 'recording'> {
  if (!record && recordTrajectory === undefined && recordGroup === undefined) return {}
  return { recording: { trajectory_id: recordTrajectory ?? null, group_id: recordGroup ?? null } }
}

function parseRole(text: string, source: string) {
  if (!isRole(text)) throw new UsageError(`${source} must be one of ${roles.join(', ')}, got ${JSON.stringify(text)}`)
  return text
}

function parseScope(text: string) {
  if (!isEffect(text)) throw new UsageError(`--scope must be one of ${effects.join(', ')}, got ${JSON.stringify(text)}`)
  return text
}

function parseProject(text: string, role: string) {
  const end = text.lastIndexOf('=')
  if (end < 0) return { project_id: text, role: parseRole(role, '--role') }
  return { project_id: text.slice(0, end), role: parseRole(text.slice(end + 1), `the role in --project ${text}`) }
}

function findOne(keys: readonly KeyInfo[], id: string): KeyInfo {
  const exact = keys.find((key) => key.id === id)
  const [found, ...others] = exact ? [exact] : keys.filter((key) => id.length >= 4 && key.id.startsWith(id))
  if (!found) throw new UsageError(`no key with id or id prefix ${JSON.stringify(id)}; run \`heddle keys list\` to see all keys`)
  if (others.length > 0)
    throw new UsageError(`${others.length + 1} keys have ids that start with ${JSON.stringify(id)}; use a longer prefix`)
  return found
}

function describe({ role, scopes, entity, projects, recording }: KeyInfo): string {
  const limit = `${scopes.length > 0 ? `, only ${scopes.join(' and ')}` : ''}${recording ? `, records ${describeRecording(recording)}` : ''}`
  if (projects.length > 0) return projects.map((project) => `${project.role} of ${project.project_id}`).join(', ') + limit
  return `${role} of ${entity === '*' ? 'all projects' : `${entity}/*`}${limit}`
}

const describeRecording = ({ trajectory_id, group_id }: NonNullable<KeyInfo['recording']>) =>
  `${trajectory_id === null ? 'conversations' : `trajectory ${trajectory_id}`}${group_id === null ? '' : ` in group ${group_id}`}`

interface TimeFormat {
  /** Microseconds since 1970. */
  now: number
  clock: Clock
}

function toRow(key: KeyInfo, { now, clock }: TimeFormat): string[] {
  return [
    key.id,
    toTerminalText(key.name),
    `${toTerminalText(key.prefix)}…`,
    toTerminalText(describe(key)),
    key.last_used_at === null ? 'never' : clock.text(key.last_used_at),
    stateOf(key, { now, clock }),
  ]
}

function stateOf({ revoked_at, expires_at }: KeyInfo, { now, clock }: TimeFormat): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  return expires_at <= now ? 'expired' : `until ${clock.text(expires_at)}`
}

function toJson({ id, name, user_id, prefix, entity, role, scopes, projects, recording, ...times }: KeyInfo) {
  const time = (micros: number | null) => (micros === null ? null : new Date(micros / 1_000).toISOString())
  return {
    id,
    name,
    user_id,
    prefix,
    entity,
    role,
    scopes,
    projects,
    recording,
    expires_at: time(times.expires_at),
    last_used_at: time(times.last_used_at),
    revoked_at: time(times.revoked_at),
    created_at: time(times.created_at),
  }
}
