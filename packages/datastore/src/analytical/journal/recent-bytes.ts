import type { Timing } from '../../timing.ts'

/** How much each tenant has written lately, with exponential decay: bytes count half after a half-life. */
export interface RecentBytes {
  add(tenant: string, bytes: number): void
  /** The tenant's recent bytes. */
  bytesOf(tenant: string): number
  /** The tenant's recent bytes relative to those of the busiest tenant, from 0 to 1. */
  shareOf(tenant: string): number
}

const halfLifeMs = 1_000
/** Beyond this number, the tenants that have been idle for longest are forgotten. */
const maxTenants = 1_000

export function createRecentBytes({ now }: Pick<Timing, 'now'>): RecentBytes {
  const tenants = new Map<string, { bytes: number; atMs: number }>()

  function bytesOf(tenant: string): number {
    const known = tenants.get(tenant)
    return known === undefined ? 0 : known.bytes * 2 ** ((known.atMs - now()) / halfLifeMs)
  }

  return {
    add(tenant, bytes) {
      const sum = bytesOf(tenant) + bytes
      tenants.delete(tenant)
      tenants.set(tenant, { bytes: sum, atMs: now() })
      const [oldest] = tenants.keys()
      if (tenants.size > maxTenants && oldest !== undefined) tenants.delete(oldest)
    },
    bytesOf,
    shareOf(tenant) {
      const most = Math.max(...[...tenants.keys()].map(bytesOf))
      return most > 0 ? bytesOf(tenant) / most : 1
    },
  }
}
