import type { Effect } from '@heddle/core-api'

/** The role of a key in a project: read, read and write, only send, or everything. */
export const roles = ['reader', 'writer', 'ingest', 'admin'] as const
export type Role = (typeof roles)[number]

/** The effects of operations, in display order. */
export const effects = ['read', 'write', 'destroy'] as const satisfies readonly Effect[]

const allowed: Readonly<Record<Role, readonly Effect[]>> = {
  reader: ['read'],
  writer: ['read', 'write'],
  ingest: ['write'],
  admin: ['read', 'write', 'destroy'],
}

export interface Grant {
  role: Role
  /** Restricts the key to these of its role's effects. Empty: no restriction. */
  scopes: readonly Effect[]
}

/** True when the role allows the effect and the scopes do not exclude it. */
export function isAllowed({ role, scopes }: Grant, effect: Effect): boolean {
  return allowed[role].includes(effect) && (scopes.length === 0 || scopes.includes(effect))
}

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text)
}

export function isEffect(text: string): text is Effect {
  return effects.some((effect) => effect === text)
}
