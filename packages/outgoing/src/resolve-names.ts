import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import type { Resolve, ResolvedAddress } from './check-target.ts'
import { createWaitingLine } from './waiting-line.ts'

export interface NameOptions {
  /** Name servers as `address:port`. Default: those of the system. */
  servers?: readonly string[]
  /** Default: `/etc/hosts`. */
  hostsFile?: string
  /** Milliseconds to wait for a name server, in each of two attempts. Default 2,000. */
  timeoutMs?: number
  /** The resolver of the system, which also knows search domains and what else the machine has configured. It occupies a thread while it waits. */
  system?: Resolve
}

/** Most concurrent lookups. */
const maxLookups = 256
/** Lookups that may wait for the resolver of the system, which has one at a time. */
const maxWaiting = 64

const bySystem: Resolve = (host) => lookup(host, { all: true, verbatim: true })

/**
 * Resolves names that tenants choose. Name servers are queried over sockets, since the system's lookups share few threads in the whole process, and a
 * name with an unresponsive server would delay all other names. Names of the hosts file and `localhost` resolve as they do for the system, which is
 * also queried, one name at a time, for names that the name servers do not know.
 * @throws Error when there is no address, no answer in time, or too many names are looked up
 */
export function createNames({ servers, hostsFile = '/etc/hosts', timeoutMs = 2_000, system = bySystem }: NameOptions = {}): Resolve {
  const line = createWaitingLine({ running: 1, waiting: maxWaiting })
  let running = 0

  /** IPv4 first. */
  async function ask(host: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
      if (found.length === 0) throw firstReason(four, six)
      return found
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async function resolve(host: string, signal: AbortSignal): Promise<ResolvedAddress[]> {
    const own = isLocal(host) ? loopback : await findInHosts(hostsFile, host)
    if (own.length > 0) return own
    signal.throwIfAborted()
    try {
      return await ask(host, signal)
    } catch (error) {
      if (isSilence(error)) throw error
      return line.run(() => system(host, signal), signal)
    }
  }

  return async (host, signal) => {
    if (running >= maxLookups) throw new Error(`${maxLookups} names are being looked up already`)
    running++
    try {
      return await resolve(host, signal)
    } finally {
      running--
    }
  }
}

const loopback: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const isLocal = (host: string) => host === 'localhost' || host.endsWith('.localhost')

function addressesOf(result: PromiseSettledResult<string[]>, family: number): ResolvedAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
}

/** Silence counts more than a name that has no address of one kind. */
function firstReason(...results: PromiseSettledResult<string[]>[]): unknown {
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  return reasons.find(isSilence) ?? reasons[0] ?? new Error('the name has no address')
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ETIMEOUT' || error.code === 'ECANCELLED')
}

async function findInHosts(path: string, host: string): Promise<ResolvedAddress[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === host) ? [{ address, family: address.includes(':') ? 6 : 4 }] : []
  })
}
