import { defaultJsonLimits, type JsonLimits } from '@heddle/json'

/** Bounds of one request. */
export interface RequestLimits extends JsonLimits {
  /** Bytes of a body, on the wire and unpacked. */
  maxBodyBytes: number
  /** Bytes of a body that is staged on disk, where they are not packed. */
  maxStagedBytes: number
  /** The setting that changes `maxStagedBytes`, for the message of a refusal; undefined if there is none. */
  stagedSetting?: string | undefined
  /** Unpacked bytes per packed byte, beyond the first MiB. */
  maxInflateRatio: number
  /** Parts of a multipart body. */
  maxParts: number
}

const mebibyte = 2 ** 20

export const defaultRequestLimits: RequestLimits = {
  ...defaultJsonLimits,
  maxValues: 1_000_000,
  maxBodyBytes: 32 * mebibyte,
  maxStagedBytes: 256 * mebibyte,
  maxInflateRatio: 100,
  maxParts: 100,
}
