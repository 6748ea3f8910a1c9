import { z } from 'zod'
import { Digest } from '../../shapes/digest.ts'
import { Identifier } from '../../shapes/identifier.ts'
import { AnyJson, JsonValueShape } from '../../shapes/json.ts'
import { orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { TimestampText } from '../../shapes/timestamp.ts'
import { RegistryLink } from '../registry-link.ts'

export const ObjectId = z.string().describe('Name of the object: letters, digits, `_`, `.` and `-`, up to 128 characters')

/** A version of an object to store. */
export const ObjectInput = z.object({
  project_id: ProjectId,
  object_id: ObjectId,
  val: JsonValueShape.describe('The value: any JSON'),
  builtin_object_class: orNull(Identifier).describe('Built-in class to validate the value against and to store with it'),
  set_base_object_class: orNull(Identifier).describe('Old name of `builtin_object_class`, used when that is absent'),
  expected_digest: orNull(Identifier).describe('Reject the object if its digest differs'),
  wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
})
export type ObjectInput = z.output<typeof ObjectInput>

const classes = {
  base_object_class: z.string().nullable().describe('Base class of the class of the value'),
  leaf_object_class: z.string().nullable().describe('Class of the value'),
}

/** A version of an object as it is read. */
export const ObjectVersion = z
  .object({
    project_id: ProjectId,
    object_id: ObjectId,
    created_at: TimestampText.describe('When this version was first published'),
    deleted_at: TimestampText.nullable().describe('Null unless the version is deleted'),
    digest: Digest,
    version_index: z.number().describe('Index of the version, from 0 in the order of publication'),
    is_latest: z.number().describe('1 for the latest version of the name, else 0'),
    kind: z.enum(['op', 'object']).describe('`op` for a function, `object` for any other value'),
    ...classes,
    val: AnyJson.describe('The value. `{}` when only metadata was requested'),
    wb_user_id: z.string().nullable().describe('User who published the version'),
    size_bytes: z.number().nullable().describe('Bytes of the value as JSON. Null unless requested'),
    tags: z.array(z.string()).nullable().describe('Tags of the version, sorted. Null unless requested'),
    aliases: z.array(z.string()).nullable().describe('Aliases of the version, `latest` first. Null unless requested'),
    registry_links: z
      .array(RegistryLink)
      .optional()
      .describe('Registries that contain the version and that the caller may read. Only returned with tags and aliases'),
  })
  .meta({ id: 'ObjectVersion' })
export type ObjectVersion = z.output<typeof ObjectVersion>

/** The version that was deleted. */
export const DeletedVersion = z.object({ digest: Digest, ...classes })
