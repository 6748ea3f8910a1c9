import { gunzipSync } from 'node:zlib'
import { extract } from 'tar-stream'

/** The files of a gzipped tar file, as text. */
export async function unpack(bytes: Uint8Array): Promise<Map<string, string>> {
  return new Map([...(await unpackBytes(bytes))].map(([name, content]) => [name, content.toString()]))
}

/** The files of a gzipped tar file. */
export async function unpackBytes(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const archive = extract()
  archive.end(gunzipSync(bytes))
  for await (const entry of archive) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    files.set(entry.header.name, Buffer.concat(parts))
  }
  return files
}
