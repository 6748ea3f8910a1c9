/** Rows of a part of a batch: enough for the kernels, few enough for the caches. */
const maxRows = 512
/** Fewer are not worth a part. */
const minRows = 64

/** Maximum rows per part when a batch of `total` rows is split across `gradientBuffers`. A single longer sequence exceeds it. */
export function rowsOfPart(total: number, gradientBuffers: number): number {
  return Math.min(maxRows, Math.max(minRows, Math.ceil(total / gradientBuffers)))
}

/** The share of memory that activations leave free for concurrent sampling. */
const freeShare = 1 / 4

/** Whether a part's activations are kept until its backward pass; if not they are computed again. */
export function mayKeep(bytes: number, { freeBytes, maxBytes }: { freeBytes: number; maxBytes: number }): boolean {
  return freeBytes - bytes >= freeShare * maxBytes
}
