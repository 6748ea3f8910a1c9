import type { ObjectVersionFilter } from '@heddle/core-api/types'

/** The filter that every live version passes. */
export const everyVersion: ObjectVersionFilter = {
  object_ids: null,
  base_object_classes: null,
  exclude_base_object_classes: null,
  leaf_object_classes: null,
  is_op: null,
  latest_only: null,
  tags: null,
  aliases: null,
}
