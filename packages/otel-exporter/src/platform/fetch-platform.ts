import type { Platform } from '../pipeline/create-pipeline.ts'
import { createFetchTransport } from '../transport/fetch-transport.ts'

/** The web platform alone: edge runtimes, Bun, Deno, browsers. */
export const fetchPlatform: Platform = {
  createTransport: ({ url }) => createFetchTransport({ url, fetch: (...request) => globalThis.fetch(...request) }),
  async compress(body) {
    const stream = new Blob([...body]).stream().pipeThrough(new CompressionStream('gzip'))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  },
  createSpool: undefined,
}
