/** A header of a tar file whose checksum is right, whatever its fields say. */
export function aTarHeader({
  name = 'adapter_config.json',
  size = '00000000000 ',
  type = '0',
  magic = 'ustar\x0000',
}: {
  name?: string
  /** The twelve bytes of the field, as text or as they are. */
  size?: string | Uint8Array
  type?: string
  magic?: string
} = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  Buffer.from(size).copy(header, 124, 0, 12)
  header.write('        ', 148)
  header.write(type, 156)
  header.write(magic, 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** The size of a file as a header holds it. */
export const octal = (bytes: number) => `${bytes.toString(8).padStart(11, '0')} `

/** Fills the last block with zeros. */
export const inBlocks = (content: Uint8Array | string) => {
  const bytes = Buffer.from(content)
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/** A file with the header that belongs to it. */
export const aTarFile = (name: string, content: Uint8Array | string) =>
  Buffer.concat([aTarHeader({ name, size: octal(Buffer.from(content).length) }), inBlocks(content)])

/** An extension of the next header, as pax has it. */
export function aPaxHeader(record: string): Buffer {
  const bodyBytes = Buffer.byteLength(record) + 2
  const length = bodyBytes + String(bodyBytes + 2).length
  const text = `${length} ${record}\n`
  return Buffer.concat([aTarHeader({ name: 'pax', type: 'x', size: octal(Buffer.byteLength(text)) }), inBlocks(text)])
}

export const tarEnd = Buffer.alloc(1_024)
