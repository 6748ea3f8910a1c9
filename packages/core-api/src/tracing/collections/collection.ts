import { z } from 'zod'
import { defineResource } from '../../operation.ts'
import { commaListOf } from '../../shapes/comma-list.ts'
import { Digest, VersionName } from '../../shapes/digest.ts'
import { LenientBoolean, LenientInt } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectPath } from '../../shapes/project.ts'
import { TimestampText } from '../../shapes/timestamp.ts'

const CollectionObject = ProjectPath.extend({ object_id: z.string().describe('Name of the object, as its creation returned it') })

/** Fields of every version in a collection. */
export const CollectionVersion = z.object({
  object_id: z.string().describe('Name of the object'),
  digest: Digest,
  version_index: z.number().describe('Index of the version, from 0 in the order of publication'),
  created_at: TimestampText.describe('When this version was first published'),
})
export type CollectionVersion = z.output<typeof CollectionVersion>

/** Result of creating a version, in every collection. */
export const CreatedVersion = CollectionVersion.pick({ digest: true, object_id: true, version_index: true })
export type CreatedVersion = z.output<typeof CreatedVersion>

/** Part of a list: which versions to skip, and how many to return. */
export const ListPage = z.object({
  limit: orNull(LenientInt).describe('Maximum number of lines. Null: all'),
  offset: orNull(LenientInt).describe('Lines to skip first'),
})

/** The name that an object is created with. */
export const CollectionName = z
  .string()
  .describe(
    'Name as people write it. The object is found under its safe form: in lower case, `_` for spaces and slashes, without characters other than letters, digits, `_`, `.` and `-`, up to 128 characters',
  )

interface Collection<Body extends z.ZodObject, Created extends z.ZodType, Item extends z.ZodType> {
  /** Description of the resource, in OpenAPI. */
  description: string
  /** Name of the collection in paths and texts, such as `datasets`. */
  many: string
  /** Singular with its article, such as `a dataset`. */
  one: string
  body: Body
  created: Created
  item: Item
  /** Items of a list. */
  listed: string
}

/** The four operations that all collections of typed objects share. */
export function defineCollection<Body extends z.ZodObject, Created extends z.ZodType, Item extends z.ZodType>({
  description,
  many,
  one,
  body,
  created,
  item,
  listed,
}: Collection<Body, Created, Item>) {
  const path = `/v2/{entity}/{project}/${many}`
  return defineResource(description, {
    list: {
      method: 'GET',
      path,
      effect: 'read',
      summary: `List ${many}`,
      description: `${listed}, one per line, oldest first. At most 50,000 lines; read more by limit and offset.`,
      params: ProjectPath,
      query: ListPage,
      output: item,
      stream: 'jsonl',
    },
    create: {
      method: 'POST',
      path,
      effect: 'write',
      summary: `Create a version of ${one}`,
      description: 'Content that the object already has makes that version the latest again.',
      params: ProjectPath,
      body,
      output: created,
    },
    read: {
      method: 'GET',
      path: `${path}/{object_id}/versions/{digest}`,
      effect: 'read',
      summary: `Read a version of ${one}`,
      params: CollectionObject.extend({ digest: VersionName }),
      query: z.object({ eager: orDefault(LenientBoolean, false).describe('Ignored: everything is read at once') }),
      output: item,
    },
    delete: {
      method: 'DELETE',
      path: `${path}/{object_id}`,
      effect: 'destroy',
      summary: `Delete versions of ${one}`,
      description: 'Deletes all of the given versions or none. Publishing the same content again restores a version.',
      params: CollectionObject,
      query: z.object({
        digests: orNull(commaListOf(100)).describe('Versions by digest, `latest` or `v<index>`, at most 100. Null or empty: all'),
      }),
      output: z.object({ num_deleted: z.number().describe('Number of versions deleted') }),
    },
  })
}
