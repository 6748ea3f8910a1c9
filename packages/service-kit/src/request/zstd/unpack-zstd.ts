import { ZSTDDecoder } from 'zstddec'

const decoder = new ZSTDDecoder()

/**
 * Unpacks all frames and verifies their checksums, on this thread.
 * Undefined when they unpack to more than `capacity` bytes, and when they are broken.
 */
export async function unpackZstd(packed: Uint8Array, { capacity }: { capacity: number }): Promise<Uint8Array | undefined> {
  await decoder.init()
  // The decoder takes 0 for "as the frame declares", and answers an error with no bytes.
  const unpacked = decoder.decode(packed, Math.max(1, capacity))
  return unpacked.byteLength === 0 ? undefined : unpacked
}
