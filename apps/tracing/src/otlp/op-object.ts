import { canonicalJson } from '@heddle/json'
import { bytesDigest } from '../payload/digest.ts'

/** Name of the source file of an op. */
export const opSourceName = 'obj.py'

/** Source of every op that was sent without one. Its bytes must never change: the digests of such ops depend on them. */
export const placeholderSource = 'def func(*args, **kwargs):\n    ...  # recorded without its source\n'

/** File digest of `placeholderSource`. */
export const placeholderSourceDigest = bytesDigest(placeholderSource)

/** Value of an op whose source file has that digest. */
export function opValue(sourceDigest: string): Record<string, unknown> {
  return { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: { [opSourceName]: sourceDigest } }
}

/** Value of every op that was sent without source. */
export const placeholderOp = opValue(placeholderSourceDigest)

/** Object digest of `placeholderOp`, the same in every project. */
export const placeholderOpDigest = bytesDigest(canonicalJson(placeholderOp))
