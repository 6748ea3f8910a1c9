import type { ProjectKey } from '@heddle/core-api/types'
import { stateOfKey } from './state-of-key.ts'

/** A user, or a program with its own user, who can use a project now. */
export interface Member {
  user_id: string
  /** The key of theirs that may do most. */
  strongest: Pick<ProjectKey, 'role' | 'scopes'>
  /** Keys that work now. */
  keys: number
  /** Last use of any of their keys, including ended ones. Null: never. */
  last_used_at: string | null
  /** Whether the request was made with a key of theirs. */
  is_own: boolean
}

/** The users of keys that are valid at a time, in milliseconds: those with the most rights first, then by name. */
export function membersOf(keys: readonly ProjectKey[], now: number): Member[] {
  const byUser = new Map<string, ProjectKey[]>()
  for (const key of keys) byUser.set(key.user_id, [...(byUser.get(key.user_id) ?? []), key])
  return [...byUser].flatMap(([user_id, theirs]) => memberOf(user_id, theirs, now) ?? []).toSorted(compareMembers)
}

function memberOf(user_id: string, keys: readonly ProjectKey[], now: number): Member | undefined {
  const active = keys.filter((key) => stateOfKey(key, now) === 'active')
  const strongest = active.toSorted((one, other) => powerOf(other) - powerOf(one))[0]
  if (strongest === undefined) return undefined
  return {
    user_id,
    strongest,
    keys: active.length,
    last_used_at: keys.reduce<string | null>((latest, { last_used_at }) => laterOf(latest, last_used_at), null),
    is_own: active.some(({ is_own }) => is_own),
  }
}

const compareMembers = (one: Member, other: Member) =>
  powerOf(other.strongest) - powerOf(one.strongest) || one.user_id.localeCompare(other.user_id)

const effectsOf = { ingest: ['write'], reader: ['read'], writer: ['read', 'write'], admin: ['read', 'write', 'destroy'] } as const
/** Deleting weighs more than reading and writing together; a sender that cannot read weighs least. */
const weights = { read: 2, write: 1, destroy: 4 }

/** The rights of a key, as a number for sorting: the role counts only with the effects that the key has of it. */
function powerOf({ role, scopes }: Pick<ProjectKey, 'role' | 'scopes'>): number {
  const effects = effectsOf[role].filter((effect) => scopes.length === 0 || scopes.includes(effect))
  return effects.reduce((sum, effect) => sum + weights[effect], 0)
}

function laterOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return Date.parse(one) >= Date.parse(other) ? one : other
}
