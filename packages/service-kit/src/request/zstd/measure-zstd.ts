/** Sizes from the headers of a Zstandard body. */
export interface ZstdSize {
  /** Bytes that it unpacks to at most: of its last blocks only the maximum of the format is known. */
  maxBytes: number
  /** True when every frame declares its size, so that `maxBytes` is exact. */
  isDeclared: boolean
}

const frameMagic = 0xfd2fb528
/** The last hexadecimal digit is any. */
const skippableMagic = 0x184d2a50
const maxBlockBytes = 128 * 1024
const frameSizeBytes = [0, 2, 4, 8] as const
const dictionaryIdBytes = [0, 1, 2, 4] as const

/**
 * Walks through frames and blocks by their headers (RFC 8878) and unpacks nothing, in time linear in the number of blocks. Undefined for incomplete
 * frames, or if a dictionary is needed.
 */
export function measureZstd(packed: Uint8Array): ZstdSize | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const size: ZstdSize = { maxBytes: 0, isDeclared: true }
  try {
    let at = 0
    while (at < packed.byteLength) {
      const magic = view.getUint32(at, true)
      if ((magic & 0xfffffff0) === skippableMagic) at += 8 + view.getUint32(at + 4, true)
      else if (magic === frameMagic) at = walkFrame(view, at + 4, size)
      else return undefined
    }
    return at === packed.byteLength ? size : undefined
  } catch (error) {
    // A header that is cut.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Adds a frame, whose descriptor is at `at`. Returns where it ends. @throws RangeError where it is cut */
function walkFrame(view: DataView, at: number, size: ZstdSize): number {
  const descriptor = view.getUint8(at)
  const isSingleSegment = (descriptor & 0x20) !== 0
  if ((descriptor & 0x08) !== 0) throw new RangeError('a reserved bit is set')
  const dictionaryBytes = dictionaryIdBytes[(descriptor & 3) as 0 | 1 | 2 | 3]
  const sizeAt = at + (isSingleSegment ? 1 : 2) + dictionaryBytes
  const sizeBytes = isSingleSegment
    ? frameSizeBytes[(descriptor >> 6) as 0 | 1 | 2 | 3] || 1
    : frameSizeBytes[(descriptor >> 6) as 0 | 1 | 2 | 3]
  const declared = readSize(view, sizeAt, sizeBytes)
  const blocks = walkBlocks(view, sizeAt + sizeBytes)
  if (declared === undefined) size.isDeclared = false
  size.maxBytes += declared === undefined ? blocks.maxBytes : Math.min(declared, blocks.maxBytes)
  return blocks.end + ((descriptor & 4) === 0 ? 0 : 4)
}

function readSize(view: DataView, at: number, bytes: number): number | undefined {
  if (bytes === 0) return undefined
  if (bytes === 1) return view.getUint8(at)
  if (bytes === 2) return view.getUint16(at, true) + 256
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true))
}

function walkBlocks(view: DataView, start: number): { maxBytes: number; end: number } {
  let at = start
  let maxBytes = 0
  for (;;) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    const kind = (header >> 1) & 3
    const bytes = header >> 3
    if (kind === 3 || bytes > maxBlockBytes) throw new RangeError('a block is not valid')
    at += 3 + (kind === 1 ? 1 : bytes)
    maxBytes += kind === 2 ? maxBlockBytes : bytes
    if ((header & 1) === 1) return { maxBytes, end: at }
  }
}
