import type { Effect, Micros } from '@heddle/core-api'
import { forbidden, unauthenticated } from '@heddle/core-api/internal'
import { LRUCache } from 'lru-cache'
import { hashApiKey, isPlausibleApiKey, isSameHash } from './api-key.ts'
import { type Caller, mayUse, toCaller, usableProjects } from './caller.ts'
import type { Context, RequestWork } from './context.ts'
import type { IdentityStore, StoredKey } from './identity-store.ts'
import { isUsable } from './is-usable.ts'
import { createKeyring, type Keyring } from './keyring.ts'
import { parseProjectId, type ProjectName } from './project/project-id.ts'
import { createProjectKeys, type ProjectKeys } from './project-keys.ts'
import { createProjectMembers, type ProjectMembers } from './project-members.ts'
import { openedScope, type ProjectScope } from './project/project-scope.ts'
import { hashToken } from './secret-token.ts'
import { createSessions, isSessionToken, type Sessions } from './sessions.ts'
import { createSignInLinks, type SignInLinks } from './sign-in-links.ts'
import { singleFlight } from './single-flight.ts'

const keyCacheSize = 1_000
const projectCacheSize = 10_000
const lastUsedStepMicros = 60_000_000

type OpenedProject = Pick<ProjectScope, 'id' | 'internalId' | 'entity' | 'name'>

export interface IdentityDeps {
  store: IdentityStore
  clock: () => Micros
  /** Called when the last use of a key could not be written. The request continues. */
  onLastUsedError?: (error: unknown) => void
}

export interface Identity extends Keyring, ProjectKeys, ProjectMembers, Sessions, SignInLinks {
  /**
   * Finds the caller by the secret of its API key, or by the token of a session that acts for one. `signal` aborts when the client disconnects, and
   * ends look-ups that no other request waits for.
   * @throws 401 when the secret is missing, unknown, revoked or expired; the response does not distinguish them.
   */
  authenticate(secret: string | undefined, signal?: AbortSignal): Promise<Caller>
  /** The context passed to a handler. Without a caller, as for open operations, it can open no project. */
  contextFor(caller: Caller | undefined, effect: Effect, work: RequestWork): Context
  /**
   * Opens a project for work that outlives the request of a caller who had access, such as a job. Only for rows that such a request wrote: no
   * permission is checked, and a key that was revoked since does not end the work.
   */
  openForWork(projectId: string, work: RequestWork): Promise<ProjectScope>
}

export function createIdentity({ store, clock, onLastUsedError }: IdentityDeps): Identity {
  const keys = new LRUCache<string, StoredKey>({ max: keyCacheSize })
  const isLive = singleFlight((hash) => store.hasLiveKey(hash))
  const lastUses = new LRUCache<string, Micros>({ max: keyCacheSize })
  const projects = new LRUCache<string, OpenedProject>({ max: projectCacheSize })
  let changes = 0

  async function findKey(hash: string, signal: AbortSignal | undefined): Promise<StoredKey | undefined> {
    const cached = keys.get(hash)
    // Another server may have revoked it since.
    if (cached && (await isLive(hash))) return cached
    keys.delete(hash)
    const changesBefore = changes
    const key = await store.findKeyByHash(hash, signal)
    if (!key || !isSameHash(key.hash, hash)) return undefined
    if (changes === changesBefore) keys.set(hash, key)
    return key
  }

  function updateLastUsed(key: StoredKey): void {
    const at = clock()
    const last = lastUses.get(key.id) ?? key.last_used_at
    // A clock that was set back must not suppress updates until it has caught up.
    if (last !== null && Math.abs(at - last) < lastUsedStepMicros) return
    lastUses.set(key.id, at)
    // Not awaited: the request must not wait for it.
    store.setLastUsed(key.id, at).catch((error: unknown) => onLastUsedError?.(error))
  }

  async function authenticate(secret: string | undefined, signal?: AbortSignal): Promise<Caller> {
    if (!secret || !isPlausibleApiKey(secret)) throw unauthenticated()
    const isSession = isSessionToken(secret)
    const key = isSession ? await store.findKeyBySession(hashToken(secret), clock(), signal) : await findKey(hashApiKey(secret), signal)
    if (!key || !isUsable(key, clock())) throw unauthenticated()
    updateLastUsed(key)
    // Chats of the pages are not those of the program that has the key.
    return toCaller(isSession ? { ...key, recording: null } : key)
  }

  async function findProject(project: ProjectName, effect: Effect, { signal }: RequestWork): Promise<OpenedProject> {
    const cached = projects.get(project.id)
    if (cached) return cached
    const found = await store.findProject(project.id, signal)
    if (!found && effect !== 'write') return { ...project, internalId: '' }
    const stored = found ?? (await store.createProject({ ...project, created_at: clock() }, signal))
    const opened = { ...project, internalId: stored.internal_id }
    projects.set(project.id, opened)
    return opened
  }

  const scopeOf = (project: OpenedProject, work: RequestWork, isWriting: boolean): ProjectScope =>
    openedScope({ ...project, tenant: { caller: work.caller, project: project.id }, signal: work.signal, isWriting })

  function contextFor(caller: Caller | undefined, effect: Effect, work: RequestWork): Context {
    return {
      get caller() {
        if (!caller) throw unauthenticated()
        return caller
      },
      work,
      async open(projectId) {
        if (!caller) throw unauthenticated()
        const project = parseProjectId(projectId)
        if (!mayUse(caller.access, project, effect)) throw forbidden()
        const charging = work.charge?.(project.id, effect)
        if (charging) await charging
        return scopeOf(await findProject(project, effect, work), work, effect !== 'read')
      },
      async list(page) {
        if (!caller) throw unauthenticated()
        const usable = usableProjects(caller.access, effect)
        if (!usable) throw forbidden()
        const found = await store.listProjects({ ...usable, ...page }, work.signal)
        return found.map(({ created_at, internal_id: internalId, ...project }) => ({
          scope: scopeOf({ ...project, internalId }, work, effect !== 'read'),
          created_at,
        }))
      },
    }
  }

  const onChange = () => {
    changes++
    keys.clear()
  }
  const openForWork = async (projectId: string, work: RequestWork) =>
    scopeOf(await findProject(parseProjectId(projectId), 'read', work), work, true)
  const keyring = createKeyring({ store, clock, onChange })
  return {
    authenticate,
    contextFor,
    openForWork,
    ...keyring,
    ...createProjectKeys({ store, keyring }),
    ...createProjectMembers(store, clock),
    ...createSessions({ store, clock }),
    ...createSignInLinks({ store, clock }),
  }
}
