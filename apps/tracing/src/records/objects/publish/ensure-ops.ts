import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import { atMost } from '@heddle/service-kit'
import { LRUCache } from 'lru-cache'
import { elapsedMs } from '../../../elapsed-clock.ts'
import { opSourceName, placeholderOp, placeholderOpDigest, placeholderSource, placeholderSourceDigest } from '../../../otlp/op-object.ts'
import type { FilesStore } from '../../files/files-store.ts'
import { checkObjectName } from './object-name.ts'
import type { ObjectValuesStore } from '../values/object-values-store.ts'
import type { NewVersion, ObjectsStore } from '../objects-store.ts'

/** How long an op published by another server may remain unseen. */
const staleMs = 5_000
const cachedOps = 10_000

/**
 * The digest of the latest version of each op of the project, by op id. An op that is not there is created with a placeholder for its source,
 * in the name of the user; it is durable and readable when this resolves.
 * @throws 400 or 422 for an op id that no op can have.
 */
export type EnsureOps = (project: ProjectScope, opIds: Iterable<string>, userId: string) => Promise<Map<string, string>>

interface EnsureOpsDeps {
  objects: ObjectsStore
  values: ObjectValuesStore
  files: FilesStore
  clock: () => Micros
}

export function createEnsureOps({ objects, values, files, clock }: EnsureOpsDeps): EnsureOps {
  const cache = new LRUCache<string, string>({ ...atMost(cachedOps), ttl: staleMs, ttlResolution: 0, perf: { now: elapsedMs(clock) } })
  const keyOf = (project: ProjectScope, opId: string) => `${project.id}\0${opId}`

  async function create(project: ProjectScope, opIds: readonly string[], userId: string): Promise<void> {
    opIds.forEach(checkObjectName)
    const json = stringifyJson(placeholderOp)
    const content = await files.stage(Buffer.from(placeholderSource))
    await files
      .put(project, { digest: placeholderSourceDigest, name: opSourceName, content, created_at: clock() })
      .finally(() => content.drop())
    await values.put(project, { digest: placeholderOpDigest, val: placeholderOp, json })
    const op = { userId, size: json.length, at: clock() }
    await objects.publish(
      project,
      opIds.map((object_id) => placeholderVersion({ object_id, ...op })),
    )
  }

  return async (project, opIds, userId) => {
    const digests = new Map<string, string>()
    const unknown = new Set<string>()
    for (const opId of opIds) {
      const digest = cache.get(keyOf(project, opId))
      if (digest === undefined) unknown.add(opId)
      else digests.set(opId, digest)
    }
    if (unknown.size === 0) return digests
    const found = await objects.findLatestOps(project, [...unknown])
    const missing = [...unknown].filter((opId) => !found.has(opId))
    if (missing.length > 0) await create(project, missing, userId)
    for (const opId of unknown) {
      const digest = found.get(opId) ?? placeholderOpDigest
      cache.set(keyOf(project, opId), digest)
      digests.set(opId, digest)
    }
    return digests
  }
}

function placeholderVersion(op: { object_id: string; userId: string; size: number; at: Micros }): NewVersion {
  return {
    object_id: op.object_id,
    kind: 'op',
    digest: placeholderOpDigest,
    base_object_class: null,
    leaf_object_class: null,
    wb_user_id: op.userId,
    key_id: null,
    size_bytes: op.size,
    at: op.at,
  }
}
