import { parseRef } from '@heddle/core-api'

/** The version of an op that a call ran. */
export interface OpVersion {
  /** Name of the op. */
  name: string
  digest: string
  /** Enough of the digest to distinguish versions. */
  short: string
}

const shortLength = 7

/** Undefined where a call names no version, or an op of another project. */
export function opVersionOf({ op_name, project_id }: { op_name: string; project_id: string }): OpVersion | undefined {
  const ref = readRef(op_name)
  if (ref?.kind !== 'op' || `${ref.entity}/${ref.project}` !== project_id) return undefined
  return { name: ref.name, digest: ref.digest, short: ref.digest.slice(0, shortLength) }
}

function readRef(text: string) {
  try {
    return parseRef(text)
  } catch {
    return undefined
  }
}
