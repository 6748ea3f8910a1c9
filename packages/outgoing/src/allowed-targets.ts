import { BlockList, isIP } from 'node:net'

/** One address to which a request would be sent. */
export interface Target {
  /** Name or IP address of the URL, in lower case, without brackets or a trailing dot. */
  host: string
  port: number
  /** IP address that `host` resolved to. */
  address: string
}

/** What an operator allows beyond the public internet. */
export interface AllowedTargets {
  permits(target: Target): boolean
  /** Whether the operator wrote this host itself, with whatever port: not a subnet that may hold it. */
  names(host: string): boolean
}

interface Rule {
  permits: (target: Target) => boolean
  /** The host that was written; undefined for a subnet. */
  host?: string
}

/**
 * Parses a list of host names, IP addresses and subnets. A name or an address may have a port: `models.internal:8000`, `10.0.0.0/8`, `[::1]:80`.
 * A name is allowed whatever address it resolves to.
 * @throws Error that names the invalid entry
 */
export function parseAllowedTargets(entries: readonly string[]): AllowedTargets {
  const rules = entries.map(parseEntry)
  const hosts = new Set(rules.map(({ host }) => host))
  return { permits: (target) => rules.some(({ permits }) => permits(target)), names: (host) => hosts.has(host) }
}

function parseEntry(entry: string): Rule {
  const rule = entry.includes('/') ? parseSubnet(entry) : parseHost(entry)
  if (rule) return rule
  throw new Error(`${JSON.stringify(entry)} is not a host, host:port, IP address or subnet such as 10.0.0.0/8`)
}

function parseSubnet(entry: string): Rule | undefined {
  const [address = '', bits = ''] = entry.split('/')
  const family = familyOf(address)
  if (!family || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 'ipv4' ? 32 : 128)) return undefined
  const list = new BlockList()
  list.addSubnet(address, Number(bits), family)
  return { permits: ({ address }) => contains(list, address) }
}

const hostAndPort = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?))(?::(\d{1,5}))?$/i

function parseHost(entry: string): Rule | undefined {
  const [match, bracketed, plain, portText] = hostAndPort.exec(entry) ?? []
  const host = (bracketed ?? plain ?? (isIP(entry) === 6 ? entry : '')).toLowerCase()
  if ((match === undefined && isIP(entry) !== 6) || host === '') return undefined
  const port = portText === undefined ? undefined : Number(portText)
  const family = familyOf(host)
  if ((bracketed !== undefined && family !== 'ipv6') || (port !== undefined && port > 65_535)) return undefined
  if (!family) return { host, permits: (target) => target.host === host && (port === undefined || target.port === port) }
  const list = new BlockList()
  list.addAddress(host, family)
  return { host, permits: ({ address, ...target }) => contains(list, address) && (port === undefined || target.port === port) }
}

/** Compares addresses only: an IPv4-mapped IPv6 address is not the IPv4 address. */
function contains(list: BlockList, address: string): boolean {
  const family = familyOf(address)
  return family !== undefined && !/^::ffff:/i.test(address) && list.check(address, family)
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  return version === 0 || address.includes('%') ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}
