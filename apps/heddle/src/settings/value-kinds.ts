import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { isPlainAddress, parseAllowedTargets } from '@heddle/outgoing'
import { isTimeZone } from '@heddle/trace-model/time'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The text of a setting, and where it is from. */
export interface SettingText {
  /** The variable or flag, for messages. */
  source: string
  text: string
  environment: Environment
}

/** What the text of a setting may be. */
export interface ValueKind<Value> {
  /** The value in `--help`, such as `<number>`. */
  placeholder: string
  /** True for a value that must not be shown, in messages and lists of processes. */
  isSecret?: boolean
  /** True for an address that may have a password in it. */
  mayHoldPassword?: boolean
  /** @throws UsageError that names the setting, its value unless it may be a secret, and what is allowed */
  parse(given: SettingText): Value
}

export type CatalogueSource = { kind: 'file'; path: string } | { kind: 'url'; url: string }

export const hostKind: ValueKind<string> = {
  placeholder: '<address>',
  parse({ source, text }) {
    if (/^[A-Za-z0-9._:%-]+$/.test(text)) return text
    throw refused(source, text, 'a host name or an IP address, without scheme, port or path')
  },
}

export const portKind: ValueKind<number> = {
  placeholder: '<number>',
  parse({ source, text }) {
    const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
    if (port <= 65_535) return port
    throw refused(source, text, 'an integer from 0 to 65535 (0 picks a free port)')
  },
}

/** Where something listens. */
export interface ListenAddress {
  host: string
  port: number
}

/** `host:port`, `[IPv6 address]:port`, or a port alone, which is one of this machine. */
export const listenAddressKind: ValueKind<ListenAddress> = {
  placeholder: '<address:port>',
  parse({ source, text }) {
    const [, bracketed, plain, port = ''] = /^(?:\[([0-9A-Fa-f:.%]+)\]:|([A-Za-z0-9._-]+):)?([0-9]{1,5})$/.exec(text) ?? []
    if (port !== '' && Number(port) <= 65_535) return { host: bracketed ?? plain ?? '127.0.0.1', port: Number(port) }
    throw refused(source, text, 'an address with a port, such as 127.0.0.1:9464 or [::1]:9464, or a port alone')
  },
}

/** `unit` is the counted thing: "number of bytes". */
export function countKind({ unit, min, max }: { unit: string; min: number; max: number }): ValueKind<number> {
  return {
    placeholder: '<number>',
    parse({ source, text }) {
      const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      if (count >= min && count <= max) return count
      throw refused(source, text, `a ${unit} from ${min} to ${max}`)
    },
  }
}

export function choiceKind<const Choice extends string>(choices: readonly [Choice, ...Choice[]]): ValueKind<Choice> {
  return {
    placeholder: `<${choices.join('|')}>`,
    parse: ({ source, text }) => parseChoice(source, text, choices),
  }
}

export const switchKind: ValueKind<boolean> = {
  placeholder: '<on|off>',
  parse: ({ source, text }) => parseChoice(source, text, ['on', 'off']) === 'on',
}

function parseChoice<Choice extends string>(source: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw refused(source, text, `one of ${choices.join(', ')}`)
  return choice
}

export const folderKind: ValueKind<string> = {
  placeholder: '<path>',
  parse: (given) => parsePath(given, 'the path of a folder'),
}

export const fileKind: ValueKind<string> = {
  placeholder: '<path>',
  parse: (given) => parsePath(given, 'the path of a file'),
}

/** An absolute path. `~/` is the home folder, which shells replace in flags but not in files of variables. */
function parsePath({ source, text }: SettingText, allowed: string): string {
  if (text.trim() === '' || text.includes('\0')) throw refused(source, text, allowed)
  return text.startsWith('~/') ? resolve(homeFolder(source), text.slice(2)) : resolve(text)
}

/** @throws UsageError for a user without a home folder, such as one in a container that has only a number */
function homeFolder(source: string): string {
  try {
    return homedir()
  } catch {
    throw new UsageError(`${source} begins with "~", but this user has no home folder; set ${source} to another path, or the variable HOME`)
  }
}

/** `advice` follows the error. */
export function secretKind({ placeholder, min = 1, max, advice = '' }: SecretRule): ValueKind<string> {
  return {
    placeholder,
    isSecret: true,
    parse({ source, text }) {
      if (/^[\x21-\x7e]+$/.test(text) && text.length >= min && text.length <= max) return text
      throw new UsageError(`${source} must be ${min} to ${max} visible ASCII characters without spaces${advice}`)
    },
  }
}

interface SecretRule {
  placeholder: string
  min?: number
  max: number
  advice?: string
}

/** The address of a database, which may hold a password. `protocols` end with a colon. */
export function databaseUrlKind(protocols: readonly string[]): ValueKind<string> {
  return { placeholder: '<url>', mayHoldPassword: true, parse: (given) => parseUrl(given, protocols) }
}

function parseUrl({ source, text }: SettingText, protocols: readonly string[]): string {
  const allowed = protocols.map((protocol) => `${protocol}//`).join(' or ')
  const protocol = URL.canParse(text) ? new URL(text).protocol : undefined
  // The value may hold a password, so only the fault is shown.
  if (protocol === undefined) throw new UsageError(`${source} is not a valid URL; it must start with ${allowed}`)
  if (!protocols.includes(protocol)) throw new UsageError(`${source} must start with ${allowed}, got "${protocol}"`)
  return text
}

/** Without slashes at the end. */
export const baseUrlKind: ValueKind<string> = {
  placeholder: '<url>',
  parse({ source, text }) {
    // The value may hold a password, so it is not shown.
    if (!isPlainAddress(text))
      throw new UsageError(`${source} must start with http:// or https:// and have no credentials, query or fragment`)
    return text.replace(/\/+$/, '')
  },
}

/** Header fields as `OTEL_EXPORTER_OTLP_HEADERS` has them: `name=value,…`, values percent-encoded where they have other characters. */
export const headersKind: ValueKind<string> = {
  placeholder: '<name=value,…>',
  isSecret: true,
  parse({ source, text }) {
    if (parseHeaders(text) !== undefined) return text
    throw new UsageError(`${source} must be a list such as authorization=Bearer%20key,project-id=acme/chat, with percent-encoded values`)
  },
}

/** Undefined for a text that is not such a list. */
export function parseHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const entry of text.split(',')) {
    const [, name = '', encoded = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(entry) ?? []
    const value = decoded(encoded)
    if (name === '' || value === undefined || !/^[\x20-\x7e]*$/.test(value)) return undefined
    headers[name.toLowerCase()] = value
  }
  return headers
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A number from 0 to 1. */
export const shareKind: ValueKind<number> = {
  placeholder: '<number>',
  parse({ source, text }) {
    const share = /^\d{1,3}(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN
    if (share <= 1) return share
    throw refused(source, text, 'a number from 0 to 1, such as 0.1')
  },
}

export const catalogueKind: ValueKind<CatalogueSource> = {
  placeholder: '<path or url>',
  mayHoldPassword: true,
  parse(given) {
    const isUrl = /^[a-z][a-z0-9+.-]+:\/\//i.test(given.text)
    return isUrl ? { kind: 'url', url: parseUrl(given, ['http:', 'https:']) } : { kind: 'file', path: fileKind.parse(given) }
  },
}

/** A name of the time zone database. */
export const timeZoneKind: ValueKind<string> = {
  placeholder: '<name>',
  parse({ source, text }) {
    if (isTimeZone(text)) return text
    throw refused(source, text, 'a name of the time zone database, such as Europe/Berlin or UTC')
  },
}

/** Hosts, `host:port`, IP addresses and subnets. */
export const targetsKind: ValueKind<readonly string[]> = {
  placeholder: '<list>',
  parse({ source, text }) {
    const entries = text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    try {
      parseAllowedTargets(entries)
    } catch (error) {
      throw new UsageError(`${source}: ${messageOf(error)}`)
    }
    return entries
  },
}

function refused(source: string, text: string, allowed: string): UsageError {
  return new UsageError(`${source} must be ${allowed}, got ${JSON.stringify(text)}`)
}
