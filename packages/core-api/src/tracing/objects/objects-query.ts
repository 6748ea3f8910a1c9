import { z } from 'zod'
import { listOf, tooManyToMatch } from '../../shapes/bounded.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { LenientBoolean, LenientInt } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { SortBy } from '../../shapes/sort.ts'

const list = (meaning: string) =>
  orNull(listOf(Identifier, 1000, tooManyToMatch)).describe(`${meaning}, at most 1000 entries. Null or empty: not given`)
const flag = (meaning: string) => orDefault(LenientBoolean, false).describe(meaning)

/** Which versions. All given parts must hold; inside a list any entry matches. Unknown keys are refused. */
export const ObjectVersionFilter = z
  .strictObject({
    object_ids: list('Names of objects'),
    base_object_classes: list('Base classes'),
    exclude_base_object_classes: list('Base classes to leave out; versions without a class stay'),
    leaf_object_classes: list('Classes of the values'),
    is_op: orNull(LenientBoolean).describe('True: ops only. False: objects only. Null: both'),
    latest_only: orNull(LenientBoolean).describe('True: the latest version of each name only'),
    tags: list('Versions with any of these tags'),
    aliases: list('Versions to which any of these aliases points, `latest` included'),
  })
  .meta({ id: 'ObjectVersionFilter' })
export type ObjectVersionFilter = z.output<typeof ObjectVersionFilter>

/** Which versions of objects, in which order, with how much of them. */
export const ObjectsQuery = z.object({
  project_id: ProjectId,
  filter: orNull(ObjectVersionFilter).describe('Which versions'),
  limit: orNull(LenientInt).describe('Maximum number of versions. Null: all'),
  offset: orNull(LenientInt).describe('Versions to skip first'),
  sort_by: orNull(listOf(SortBy, 32)).describe('Order by `object_id` and `created_at`; other fields are ignored. Null: by creation'),
  metadata_only: flag('Omit the values'),
  include_storage_size: flag('Fill `size_bytes`'),
  include_tags_and_aliases: flag('Fill `tags` and `aliases`'),
})
export type ObjectsQuery = z.output<typeof ObjectsQuery>
