const sliceBytes = 2 ** 20

/** The UTF-8 bytes of texts in slices: small texts together, since each slice crosses a thread, and large ones cut, since each is copied. */
export async function* inSlices(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let gathered: Buffer[] = []
  let bytes = 0
  for await (const text of texts) {
    for (const part of cut(Buffer.from(text))) {
      gathered.push(part)
      bytes += part.length
      if (bytes < sliceBytes) continue
      yield Buffer.concat(gathered)
      gathered = []
      bytes = 0
    }
  }
  if (bytes > 0) yield Buffer.concat(gathered)
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}
