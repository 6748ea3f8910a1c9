import { Transform } from 'node:stream'
import { ModelFileError } from './model-file-error.ts'

export interface TarBounds {
  /** Bytes of the unpacked archive, with its headers and padding. */
  maxBytes: number
  /** Headers: of files, of folders, and of what some tools put before them. */
  maxHeaders: number
}

const blockBytes = 512
/** Most bytes of a header's extension, which holds a long name: the reader keeps it in memory. */
const maxExtensionBytes = 64 * 1024
/** Octal, with spaces before and a space or a zero byte after; empty means 0. Larger sizes, in binary, begin at 8 GiB. */
const sizeText = /^ *([0-7]*)[ \0]*$/

const kinds: Readonly<Record<string, 'file' | 'folder' | 'extension'>> = {
  '\0': 'file',
  '0': 'file',
  '5': 'folder',
  x: 'extension',
  g: 'extension',
  L: 'extension',
  K: 'extension',
}
const otherKinds: Readonly<Record<string, string>> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
}

/**
 * Passes an unpacked tar file on, and checks each header first, so that none makes its reader wait forever, allocate as much as a header claims, or
 * see other files than were counted. Files and folders pass, in the forms of ustar, pax and GNU; their sizes are octal. Fails with a ModelFileError
 * that describes the problem.
 */
export function createTarCheck({ maxBytes, maxHeaders }: TarBounds): Transform {
  const header = Buffer.alloc(blockBytes)
  let filled = 0
  let headers = 0
  let bytes = 0
  /** Bytes up to the next header. */
  let left = 0
  let extension: Buffer | undefined
  let extensionFilled = 0

  function readContent(chunk: Buffer): void {
    left -= chunk.length
    if (extension) extensionFilled += chunk.copy(extension, extensionFilled)
    if (left > 0 || !extension) return
    if (extension.includes(' size='))
      throw damaged('the size of a file is in an extension of its header; sizes of 8 GiB and more are not read')
    extension = undefined
  }

  function readHeader(chunk: Buffer): void {
    filled += chunk.copy(header, filled)
    if (filled < blockBytes) return
    filled = 0
    if (header.every((byte) => byte === 0)) return
    if (++headers > maxHeaders) throw unsupported(`the archive has more than ${maxHeaders} files`)
    const { kind, size } = checkHeader(header)
    if (size > maxBytes) throw unsupported(`the file ${nameIn(header)} has ${size} bytes; an archive unpacks to at most ${maxBytes}`)
    left = Math.ceil(size / blockBytes) * blockBytes
    extension = kind === 'extension' && left > 0 ? Buffer.alloc(size) : undefined
    extensionFilled = 0
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        bytes += chunk.length
        if (bytes > maxBytes) throw unsupported(`the archive unpacks to more than ${maxBytes} bytes`)
        for (let at = 0; at < chunk.length;) {
          const part = chunk.subarray(at, at + (left > 0 ? left : blockBytes - filled))
          if (left > 0) readContent(part)
          else readHeader(part)
          at += part.length
        }
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

function checkHeader(header: Buffer): { kind: 'file' | 'folder' | 'extension'; size: number } {
  if (header.toString('latin1', 257, 262) !== 'ustar')
    throw damaged('this is not a tar.gz archive: a header is missing, or in a form before ustar')
  const type = header.toString('latin1', 156, 157)
  const kind = kinds[type]
  if (!kind) {
    const found = otherKinds[type] ?? `of the type ${JSON.stringify(type)}`
    throw unsupported(`${nameIn(header)} is ${found}; pack the files themselves`)
  }
  const text = header.toString('latin1', 124, 136)
  const octal = sizeText.exec(text)?.[1]
  if (octal === undefined) throw damaged(`the size of ${nameIn(header)} is ${JSON.stringify(text)}, which is not an octal number`)
  const size = octal === '' ? 0 : Number.parseInt(octal, 8)
  // Readers treat such a file as a folder, and its content as the next header.
  if (size > 0 && (kind === 'folder' || (kind === 'file' && /(^|\/)$/.test(rawName(header)))))
    throw damaged(`the folder ${nameIn(header)} has a size`)
  if (kind === 'extension' && size > maxExtensionBytes)
    throw unsupported(`a header of the archive has an extension of ${size} bytes; at most ${maxExtensionBytes} are read`)
  return { kind, size }
}

const rawName = (header: Buffer) => header.toString('utf8', 0, 100).split('\0', 1)[0]!
const nameIn = (header: Buffer) => JSON.stringify(rawName(header))
const damaged = (message: string) => new ModelFileError('damaged', message)
const unsupported = (message: string) => new ModelFileError('unsupported', message)
