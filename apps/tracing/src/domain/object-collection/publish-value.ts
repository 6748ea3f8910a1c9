import type { JsonObject } from '@heddle/core-api'
import type { CreatedVersion } from '@heddle/core-api/types'
import type { ObjectPublisher } from '../../records/objects/publish/publish-object.ts'
import type { CollectionRequest } from './collection.ts'

/** Publishes a value in the name of the user of a request. @throws as `ObjectPublisher.publish` does */
export async function publishValue(
  publisher: ObjectPublisher,
  { project, projects, userId }: CollectionRequest,
  { object_id, val }: { object_id: string; val: JsonObject },
): Promise<CreatedVersion> {
  const draft = { object_id, val, builtin_object_class: null, expected_digest: null, wb_user_id: userId }
  return { object_id, ...(await publisher.publish(project, draft, projects)) }
}
