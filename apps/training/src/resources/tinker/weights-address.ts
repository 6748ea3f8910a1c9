import { badRequest } from '@heddle/core-api/internal'
import type { WeightsAddress, WeightsKind } from './tinker-store.ts'

const scheme = 'tinker://'
const kinds: readonly string[] = ['weights', 'sampler_weights'] satisfies WeightsKind[]

export function toAddress({ run_id, kind, name }: WeightsAddress): string {
  return `${scheme}${run_id}/${kind}/${name}`
}

/** @throws ApiError 400 for a text that is not an address of saved weights */
export function parseAddress(text: string): WeightsAddress {
  const [run_id = '', kind = '', name = '', ...more] = text.startsWith(scheme) ? text.slice(scheme.length).split('/') : []
  if (run_id !== '' && kinds.includes(kind) && name !== '' && more.length === 0 && !text.includes('\0'))
    return { run_id, kind: kind as WeightsKind, name }
  const shown = JSON.stringify(text.slice(0, 200))
  throw badRequest(
    `${shown} is not an address of saved weights; it has the form tinker://<training run>/weights/<name>, or sampler_weights`,
  )
}

const maxNameLength = 200

/** @throws ApiError 400 for a name that would not fit into an address */
export function checkedWeightsName(name: string): string {
  if (/^[\w.-]+$/.test(name) && name.length <= maxNameLength && !/^\.+$/.test(name)) return name
  const shown = JSON.stringify(name.slice(0, 200))
  throw badRequest(`path ${shown} is no name for saved weights; use 1 to ${maxNameLength} letters, digits, ".", "_" and "-"`)
}
