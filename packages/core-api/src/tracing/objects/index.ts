import { z } from 'zod'
import { defineResource } from '../../operation.ts'
import { listOf, tooManyToMatch } from '../../shapes/bounded.ts'
import { Digest, VersionName } from '../../shapes/digest.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { LenientBoolean, lenientIntBetween } from '../../shapes/lenient.ts'
import { Nothing } from '../../shapes/nothing.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { AliasMove } from './alias-move.ts'
import { DeletedVersion, ObjectId, ObjectInput, ObjectVersion } from './object-records.ts'
import { ObjectsQuery } from './objects-query.ts'

const ObjectPath = z.object({ object_id: ObjectId })
const VersionPath = z.object({
  object_id: ObjectId,
  digest: Digest.describe('Digest of the version; not an alias, `latest` or `v<index>`'),
})

const tags = listOf(z.string(), 1000, tooManyToMatch).describe(
  'Tags, at most 1000: word characters and `-`, words with one space between them, up to 256 characters',
)
const aliases = listOf(z.string(), 1000, tooManyToMatch).describe(
  'Aliases, at most 1000: up to 128 characters without `/`, `:` and control characters; not `latest`, not `v<index>`',
)

/** Named, versioned JSON values. */
export const objects = defineResource('Named, versioned JSON values', {
  create: {
    method: 'POST',
    path: '/obj/create',
    effect: 'write',
    keepsSurrogates: true,
    summary: 'Publish a version of an object',
    description: 'Publishing content that the object already has makes that version the latest again.',
    body: z.object({ obj: ObjectInput }),
    output: z.object({ digest: Digest, object_id: z.string().nullable().describe('Name of the object') }),
  },
  read: {
    method: 'POST',
    path: '/obj/read',
    effect: 'read',
    summary: 'Read a version of an object',
    body: z.object({
      project_id: ProjectId,
      object_id: ObjectId,
      digest: VersionName,
      metadata_only: orDefault(LenientBoolean, false).describe('Omit the value'),
      include_tags_and_aliases: orDefault(LenientBoolean, false).describe('Fill `tags` and `aliases`'),
    }),
    output: z.object({ obj: ObjectVersion }),
  },
  query: {
    method: 'POST',
    path: '/objs/query',
    effect: 'read',
    summary: 'Find versions of objects',
    description: 'Deleted versions are not returned.',
    body: ObjectsQuery,
    output: z.object({ objs: z.array(ObjectVersion).describe('The versions, in the requested order') }),
  },
  delete: {
    method: 'POST',
    path: '/obj/delete',
    effect: 'destroy',
    summary: 'Delete versions of an object',
    description:
      'Deletes all of the given versions or none, with their tags and aliases. However many there are, no operation finds them once this is answered; above 1,000 they are removed from the store behind, as `projects.queryDeletions` shows. Publishing the same content again restores a version.',
    body: z.object({
      project_id: ProjectId,
      object_id: ObjectId,
      digests: orNull(listOf(Identifier, 100, tooManyToMatch)).describe(
        'Versions by digest, `latest` or `v<index>`, at most 100. Null or empty: all',
      ),
    }),
    output: z.object({
      num_deleted: z.number().describe('Number of versions deleted'),
      deleted_versions: z
        .array(DeletedVersion)
        .describe('The versions deleted, by index; of more than 10,000 those that were published first'),
    }),
  },
  addTags: {
    method: 'PUT',
    path: '/objs/{object_id}/versions/{digest}/tags',
    effect: 'write',
    summary: 'Add tags to a version of an object',
    params: VersionPath,
    body: z.object({ project_id: ProjectId, tags }),
    output: Nothing,
  },
  removeTags: {
    method: 'POST',
    path: '/objs/{object_id}/versions/{digest}/tags/remove',
    effect: 'write',
    storage: 'frees',
    summary: 'Remove tags from a version of an object',
    description: 'Idempotent: removing a missing name is not an error.',
    params: VersionPath,
    body: z.object({ project_id: ProjectId, tags }),
    output: Nothing,
  },
  setAliases: {
    method: 'PUT',
    path: '/objs/{object_id}/aliases',
    effect: 'write',
    audit: true,
    summary: 'Set aliases of a version',
    description: 'An alias that the object already has moves.',
    params: ObjectPath,
    body: z.object({ project_id: ProjectId, digest: VersionPath.shape.digest, aliases }),
    output: Nothing,
  },
  removeAliases: {
    method: 'POST',
    path: '/objs/{object_id}/aliases/remove',
    effect: 'write',
    storage: 'frees',
    audit: true,
    summary: 'Remove aliases of an object',
    description: 'Idempotent: removing a missing name is not an error.',
    params: ObjectPath,
    body: z.object({ project_id: ProjectId, aliases }),
    output: Nothing,
  },
  aliasHistory: {
    method: 'POST',
    path: '/objs/{object_id}/aliases/history',
    effect: 'read',
    summary: 'List who moved the aliases of an object',
    description:
      'An addition of this server. The newest first: the newest 100 moves of each alias, at most 10,000 together, also of versions and objects that were deleted since. Empty for an unknown object.',
    params: ObjectPath,
    body: z.object({
      project_id: ProjectId,
      alias: orNull(z.string().max(256)).describe('Only the moves of this alias. Null: of all'),
      limit: orDefault(lenientIntBetween(1, 100), 50).describe('Moves of a page, 1 to 100'),
      offset: orDefault(lenientIntBetween(0, 10_000), 0).describe('Moves to skip first, 0 to 10,000'),
    }),
    output: z.object({
      moves: z.array(AliasMove).describe('A page of moves'),
      has_more: z.boolean().describe('Whether moves follow the last one'),
    }),
  },
  listTags: {
    method: 'GET',
    path: '/tags',
    effect: 'read',
    summary: 'List the tags of a project',
    query: z.object({ project_id: ProjectId }),
    output: z.object({ tags: z.array(z.string()).describe('Tags of live versions, each once, sorted') }),
  },
  listAliases: {
    method: 'GET',
    path: '/aliases',
    effect: 'read',
    summary: 'List the aliases of a project',
    query: z.object({ project_id: ProjectId }),
    output: z.object({ aliases: z.array(z.string()).describe('Aliases of live versions, each once, sorted, `latest` included') }),
  },
})
