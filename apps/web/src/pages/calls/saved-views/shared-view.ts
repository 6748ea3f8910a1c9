import type { ObjectVersion } from '@heddle/core-api/types'
import { toObjectId } from '../../../lib/object-id.ts'
import { callsSearch } from '../../../features/calls/calls-search.ts'
import { maxNameLength, type SavedView, viewOf } from './saved-view.ts'

/** A view that all members of a project see. */
export interface SharedView extends SavedView {
  /** Name of the object that holds it. */
  objectId: string
  savedBy: string | null
}

/** Class of the objects that contain views, both of this page and of other programs. */
export const viewClass = 'SavedView'

/** Distinguishes views of this page from those of other programs, which have another format. */
const viewType = 'heddle.calls'

/** Characters of a search as JSON. Longer ones were not saved here. */
const maxSearchLength = 50_000

/**
 * The value of the object that holds a view. Clients that know the class read its label, and find nothing in its definition.
 * @throws RangeError for one that selects and shows more than is read again
 */
export function toViewValue({ name, search }: SavedView) {
  const kept = viewOf(search)
  if (JSON.stringify(kept).length > maxSearchLength) {
    throw new RangeError(
      `The conditions and columns of a view have at most ${maxSearchLength.toLocaleString('en')} characters: shorten them.`,
    )
  }
  return { name, view_type: viewType, label: name, definition: {}, search: kept }
}

/** A name for the object of a new view. Two views never share one, whatever their names are. */
export const toViewObjectId = (name: string, id: string): string => toObjectId('calls-view', name, id)

/** The view in an object. Undefined for views of other programs, and for those that this page did not save. */
export function toSharedView({
  object_id,
  val,
  wb_user_id,
}: Pick<ObjectVersion, 'object_id' | 'val' | 'wb_user_id'>): SharedView | undefined {
  if (!isRecord(val)) return undefined
  const { view_type, name, search } = val
  if (view_type !== viewType || !isRecord(search) || JSON.stringify(search).length > maxSearchLength) return undefined
  if (typeof name !== 'string' || name.trim() === '' || name.length > maxNameLength) return undefined
  return { objectId: object_id, savedBy: wb_user_id, name, search: viewOf(callsSearch(search)) }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
