import { createIdentity, effects, type Identity, isEffect, isRole, type KeyInfo, type NewKey, roles } from '@heddle/identity'
import type { Configuration } from '../settings/configuration.ts'
import { assertRoomForRecords, withIdentityStore } from '../server/stores.ts'
import { formatTime } from '../terminal/measures.ts'
import { systemClock } from '../server/system-clock.ts'
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
  json?: boolean
}

/** Creates a key. Its secret is all that goes to the output, so that it can be piped; what it may do is noted beside it. */
export async function createKey(options: CreateKeyOptions, { configuration, terminal }: KeysDeps): Promise<void> {
  const wanted = toNewKey(options, systemClock())
  const { secret, key } = await withIdentity(configuration, async (identity) => {
    await assertRoomForRecords(configuration)
    return identity.createKey(wanted)
  })
  if (options.json) return terminal.out(JSON.stringify({ ...toJson(key), secret }, null, 2))
  terminal.note(`Key ${key.id} (${describe(key)}). It is shown only now:`)
  terminal.out(secret)
}

/** Lists all keys, newest first, without their secrets. */
export async function listKeys({ json }: { json?: boolean }, { configuration, terminal }: KeysDeps): Promise<void> {
  const keys = await withIdentity(configuration, (identity) => identity.listKeys())
  if (json) return terminal.out(JSON.stringify(keys.map(toJson), null, 2))
  if (keys.length === 0) return terminal.note('There are no keys yet; the first start of the server makes one.')
  const now = systemClock()
  terminal.out(formatTable({ head: ['ID', 'NAME', 'KEY', 'MAY', 'LAST USED (UTC)', 'STATE'], rows: keys.map((key) => toRow(key, now)) }))
}

/** Ends a key, found by its id or the beginning of it. */
export async function revokeKey(id: string, { configuration, terminal }: KeysDeps): Promise<void> {
  const key = await withIdentity(configuration, async (identity) => {
    const found = findOne(await identity.listKeys(), id)
    await identity.revokeKey(found.id)
    return found
  })
  terminal.note(`Key ${key.id} (${toTerminalText(key.name)}) is revoked; running servers refuse it from now on.`)
}

interface KeysDeps {
  configuration: Configuration
  terminal: Terminal
}

function withIdentity<T>(configuration: Configuration, work: (identity: Identity) => Promise<T>): Promise<T> {
  return withIdentityStore(configuration, (store) => work(createIdentity({ store, clock: systemClock })))
}

/** @throws UsageError that names the option and what it takes. */
export function toNewKey(options: CreateKeyOptions, now: number): NewKey {
  return {
    name: options.name,
    role: parseRole(options.role, '--role'),
    ...(options.entity === undefined ? {} : { entity: options.entity }),
    scopes: (options.scope ?? []).map(parseScope),
    projects: (options.project ?? []).map((text) => parseProject(text, options.role)),
    ...(options.expiresInDays === undefined ? {} : { expiresAt: now + parseDays(options.expiresInDays) * microsADay }),
  }
}

function parseRole(text: string, source: string) {
  if (!isRole(text)) throw new UsageError(`${source} is ${JSON.stringify(text)}; it must be one of ${roles.join(', ')}`)
  return text
}

function parseScope(text: string) {
  if (!isEffect(text)) throw new UsageError(`--scope is ${JSON.stringify(text)}; it must be one of ${effects.join(', ')}`)
  return text
}

function parseProject(text: string, role: string) {
  const end = text.lastIndexOf('=')
  if (end < 0) return { project_id: text, role: parseRole(role, '--role') }
  return { project_id: text.slice(0, end), role: parseRole(text.slice(end + 1), `the role in --project ${text}`) }
}

function parseDays(text: string): number {
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > 36_500)
    throw new UsageError(`--expires-in-days is ${JSON.stringify(text)}; it must be a whole number from 1 to 36500`)
  return days
}

function findOne(keys: readonly KeyInfo[], id: string): KeyInfo {
  const exact = keys.find((key) => key.id === id)
  const [found, ...others] = exact ? [exact] : keys.filter((key) => id.length >= 4 && key.id.startsWith(id))
  if (!found) throw new UsageError(`no key has the id ${JSON.stringify(id)}, or one that begins so; \`heddle keys list\` shows all`)
  if (others.length > 0)
    throw new UsageError(`${others.length + 1} keys have an id that begins with ${JSON.stringify(id)}; write more of it`)
  return found
}

function describe({ role, scopes, entity, projects }: KeyInfo): string {
  const limit = scopes.length > 0 ? `, only ${scopes.join(' and ')}` : ''
  if (projects.length > 0) return projects.map((project) => `${project.role} of ${project.project_id}`).join(', ') + limit
  return `${role} of ${entity === '*' ? 'all projects' : `${entity}/*`}${limit}`
}

function toRow(key: KeyInfo, now: number): string[] {
  return [
    key.id,
    toTerminalText(key.name),
    `${toTerminalText(key.prefix)}…`,
    toTerminalText(describe(key)),
    key.last_used_at === null ? 'never' : formatTime(key.last_used_at),
    stateOf(key, now),
  ]
}

function stateOf({ revoked_at, expires_at }: KeyInfo, now: number): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'in use'
  return expires_at <= now ? 'expired' : `until ${formatTime(expires_at)}`
}

function toJson({ id, name, user_id, prefix, entity, role, scopes, projects, ...times }: KeyInfo) {
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
    expires_at: time(times.expires_at),
    last_used_at: time(times.last_used_at),
    revoked_at: time(times.revoked_at),
    created_at: time(times.created_at),
  }
}
