import type { JsonObject } from '@heddle/core-api'
import type { CollectionVersion, CreatedVersion, ObjectVersionFilter } from '@heddle/core-api/types'
import type { ProjectScope } from '@heddle/identity'
import type { RequestRefProjects } from '../../payload/ref-projects.ts'

/** The request on behalf of which versions are created or read. */
export interface CollectionRequest {
  project: ProjectScope
  projects: RequestRefProjects
  /** User of the key. */
  userId: string
}

/** The specific part of one collection of typed objects, in addition to the four shared operations. */
export interface Collection<Draft, Created, Item> {
  /** Name of the object of a draft without a name. */
  fallbackName: string
  /** Which versions belong to it. */
  members: Partial<Pick<ObjectVersionFilter, 'base_object_classes' | 'is_op' | 'latest_only'>>
  /** The value to publish. The data that it references is stored, durable and readable, when this resolves. */
  toValue(draft: Draft, target: CollectionRequest & { object_id: string }): Promise<JsonObject>
  /** The answer to a creation; `ref` is the reference to the version. */
  toCreated(version: CreatedVersion, ref: string): Created
  /** A version as it is answered. A value of another shape than the collection writes gives defaults, never an error. */
  toItem(version: CollectionVersion, value: JsonObject, request: CollectionRequest): Promise<Item>
}
