/** One block: bytes as they are, or one byte repeated. */
export type ZstdBlock = { raw: Uint8Array } | { byte: number; times: number }

const maxBlockBytes = 128 * 1024

/** A Zstandard frame of uncompressed blocks, since Node 20 has no compressor. `declared` is the size in its header. */
export function zstdFrame(blocks: readonly ZstdBlock[], declared?: number): Uint8Array<ArrayBuffer> {
  const parts = blocks.flatMap((block, at) => blockParts(block, at === blocks.length - 1))
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
  // One descriptor has a size of 8 bytes and the other none; the window is 8 MiB.
  const header = declared === undefined ? Buffer.from([0x00, 0x68]) : Buffer.alloc(10)
  if (declared !== undefined) {
    header.set([0xc0, 0x68])
    header.writeBigUInt64LE(BigInt(declared), 2)
  }
  return Uint8Array.from(Buffer.concat([magic, header, ...parts]))
}

/** A body in blocks of the largest size. */
export function packZstd(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const count = Math.max(1, Math.ceil(bytes.byteLength / maxBlockBytes))
  return zstdFrame(Array.from({ length: count }, (_, at) => ({ raw: bytes.subarray(at * maxBlockBytes, (at + 1) * maxBlockBytes) })))
}

function blockParts(block: ZstdBlock, isLast: boolean): Uint8Array[] {
  const [kind, bytes, content] = 'raw' in block ? [0, block.raw.byteLength, block.raw] : [1, block.times, Uint8Array.of(block.byte)]
  const header = Buffer.alloc(3)
  header.writeUIntLE((bytes << 3) | (kind << 1) | (isLast ? 1 : 0), 0, 3)
  return [header, content]
}
