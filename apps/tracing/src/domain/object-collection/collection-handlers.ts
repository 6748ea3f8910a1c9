import type { JsonObject } from '@heddle/core-api'
import { badRequest, isJsonObject, JsonText, notFound, tooLarge } from '@heddle/core-api/internal'
import { inParts, type Micros } from '@heddle/datastore'
import type { Context, ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { objectRef } from '../../payload/object-ref.ts'
import { deleteVersions } from '../../records/objects/versions/delete-versions.ts'
import { everyVersion } from '../../records/objects/versions/every-version.ts'
import { findLiveVersion } from '../../records/objects/versions/find-live-version.ts'
import type { ObjectsStore, StoredVersion } from '../../records/objects/objects-store.ts'
import type { ObjectDeletionStore } from '../../records/objects/versions/object-deletion-store.ts'
import type { PresentVersions } from '../../records/objects/versions/present-versions.ts'
import type { ObjectPublisher } from '../../records/objects/publish/publish-object.ts'
import type { Collection, CollectionRequest } from './collection.ts'
import { publishValue } from './publish-value.ts'
import { safeObjectName } from './safe-object-name.ts'

/** Maximum versions in one list. */
const maxVersions = 50_000
/** Versions whose values are read in one batch. */
const versionsAtOnce = 100

export interface CollectionDeps {
  objects: ObjectsStore
  deletion: Pick<ObjectDeletionStore, 'delete'>
  publisher: ObjectPublisher
  presentVersions: PresentVersions
  refProjects: RefProjectsFor
  clock: () => Micros
}

interface InProject {
  entity: string
  project: string
}

/** The operations of one collection of typed objects. */
export function collectionHandlers<Draft extends { name: string | null }, Created, Item>(
  { objects, deletion, publisher, presentVersions, refProjects, clock }: CollectionDeps,
  collection: Collection<Draft, Created, Item>,
) {
  const { fallbackName } = collection
  const members = { ...everyVersion, ...collection.members }

  async function openRequest({ entity, project: name }: InProject, context: Context): Promise<CollectionRequest> {
    const project = await context.open(`${entity}/${name}`)
    return { project, projects: refProjects(project, context), userId: context.caller.userId }
  }

  async function toItems(request: CollectionRequest, versions: readonly StoredVersion[]): Promise<Item[]> {
    const shown = await presentVersions({ ...request, view: { values: true, sizes: false, labels: false } }, versions)
    return Promise.all(
      shown.map(({ object_id, digest, version_index, created_at, val }) =>
        collection.toItem({ object_id, digest, version_index, created_at }, readObject(val), request),
      ),
    )
  }

  async function* inBatches(request: CollectionRequest, versions: readonly StoredVersion[]): AsyncGenerator<Item> {
    for (const some of inParts(versions, versionsAtOnce)) yield* await toItems(request, some)
  }

  return {
    async create(draft: Draft & InProject, context: Context): Promise<Created> {
      const request = await openRequest(draft, context)
      const object_id = safeObjectName(draft.name, fallbackName)
      const val = await collection.toValue(draft, { ...request, object_id })
      const created = await publishValue(publisher, request, { object_id, val })
      return collection.toCreated(created, objectRef(request.project, created))
    },

    async list({ limit, offset, ...place }: InProject & { limit: number | null; offset: number | null }, context: Context) {
      const request = await openRequest(place, context)
      for (const [name, value] of Object.entries({ limit, offset })) {
        if (value !== null && value < 0) throw badRequest(`${name} must be at least 0, got ${value}`)
      }
      const versions = await objects.select(request.project, {
        filter: members,
        sort_by: [
          { field: 'created_at', direction: 'asc' },
          { field: 'object_id', direction: 'asc' },
        ],
        limit: Math.min(limit ?? Number.POSITIVE_INFINITY, maxVersions + 1),
        offset: offset ?? 0,
      })
      if (versions.length > maxVersions) throw tooLarge(`more than ${maxVersions} versions match; read fewer at a time by limit and offset`)
      return inBatches(request, versions)
    },

    async read({ object_id, digest, ...place }: InProject & { object_id: string; digest: string }, context: Context): Promise<Item> {
      const request = await openRequest(place, context)
      const [item] = await toItems(request, [await findLiveVersion(objects, request.project, { object_id, digest })])
      if (item === undefined) throw new Error(`object ${object_id} was found but not presented`)
      return item
    },

    async delete({ object_id, digests, ...place }: InProject & { object_id: string; digests: string[] | null }, context: Context) {
      const { project } = await openRequest(place, context)
      if (members.is_op === true) await checkIsOp(objects, project, object_id)
      const author = { wb_user_id: context.caller.userId, at: clock() }
      const { count } = await deleteVersions(deletion, project, { object_id, digests: digests ?? [], ...author })
      return { num_deleted: count }
    },
  }
}

/** Reads the value of a version; anything but an object counts as empty. */
function readObject(val: unknown): JsonObject {
  const value = val instanceof JsonText ? parseJson(val.source, { loneSurrogates: 'keep' }) : val
  return isJsonObject(value) ? value : {}
}

/** @throws ApiError 404 when no live version of that name is an op */
async function checkIsOp(objects: ObjectsStore, project: ProjectScope, object_id: string): Promise<void> {
  const [op] = await objects.select(project, {
    filter: { ...everyVersion, object_ids: [object_id], is_op: true },
    sort_by: [],
    limit: 1,
    offset: 0,
  })
  if (op === undefined) throw notFound(`Op ${object_id} not found: it has no live version to delete`)
}
