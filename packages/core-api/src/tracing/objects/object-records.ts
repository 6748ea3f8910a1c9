import { z } from 'zod'
import { Digest } from '../../shapes/digest.ts'
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
  builtin_object_class: orNull(z.string()).describe('Built-in class that the value gets and is checked against'),
  set_base_object_class: orNull(z.string()).describe('Old name of `builtin_object_class`, used when that is absent'),
  expected_digest: orNull(z.string()).describe('Refuse the object when its digest differs'),
  wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
})
export type ObjectInput = z.output<typeof ObjectInput>

const classes = {
  base_object_class: z.string().nullable().describe('Class on which the class of the value is built'),
  leaf_object_class: z.string().nullable().describe('Class of the value'),
}

/** A version of an object as it is read. */
export const ObjectVersion = z
  .object({
    project_id: ProjectId,
    object_id: ObjectId,
    created_at: TimestampText.describe('First publication of this version'),
    deleted_at: TimestampText.nullable().describe('Null while the version lives'),
    digest: Digest,
    version_index: z.number().describe('0 for the first version, one more for each new content'),
    is_latest: z.number().describe('1 for the latest version of the name, else 0'),
    kind: z.enum(['op', 'object']).describe('`op` for the source of a function'),
    ...classes,
    val: AnyJson.describe('The value. `{}` when only metadata was asked for'),
    wb_user_id: z.string().nullable().describe('User who published the version'),
    size_bytes: z.number().nullable().describe('Bytes of the value as JSON. Null unless asked for'),
    tags: z.array(z.string()).nullable().describe('Tags of the version, sorted. Null unless asked for'),
    aliases: z.array(z.string()).nullable().describe('Aliases of the version, `latest` first. Null unless asked for'),
    registry_links: z
      .array(RegistryLink)
      .optional()
      .describe(
        'Registries that hold the version, as far as the caller may see them. Only with tags and aliases, and where there are some',
      ),
  })
  .meta({ id: 'ObjectVersion' })
export type ObjectVersion = z.output<typeof ObjectVersion>

/** What is told of a version that was deleted. */
export const DeletedVersion = z.object({ digest: Digest, ...classes })
