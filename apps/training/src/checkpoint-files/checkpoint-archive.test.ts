import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { pack } from 'tar-stream'
import { afterAll, describe, expect, test } from 'vitest'
import { readArchived, unpackCheckpoint } from './checkpoint-archive.ts'
import { ModelFileError } from './model-file-error.ts'
import { aPaxHeader, aTarFile, aTarHeader, octal, tarEnd } from './testing/tar-block.ts'

const root = mkdtempSync(join(tmpdir(), 'heddle-archives-'))
afterAll(() => rmSync(root, { recursive: true }))

const maxBytes = 2 ** 20

/** What the archive unpacks to. */
async function unpack(archive: Uint8Array, bounds: { maxBytes?: number; signal?: AbortSignal } = {}): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(root, 'unpacked-'))
  try {
    await unpackCheckpoint(Readable.from([archive]), folder, { maxBytes, ...bounds })
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const packed = (...blocks: Uint8Array[]) => gzipSync(Buffer.concat([...blocks, tarEnd]))
const files = [aTarFile('adapter_config.json', '{}'), aTarFile('adapter_model.safetensors', 'w'.repeat(700))]

test('files come out as they went in, whatever folder, long names and other files an archive has', async () => {
  const tar = pack()
  tar.entry({ name: './', type: 'directory' })
  tar.entry({ name: `${'long/'.repeat(60)}adapter_config.json` }, '{"r":1}')
  tar.entry({ name: 'é/README.md' }, 'x')
  tar.entry({ name: 'é/adapter_model.safetensors' }, 'w'.repeat(1_500))
  tar.finalize()
  expect(await unpack(gzipSync(await buffer(tar)))).toEqual(
    new Map([
      ['adapter_config.json', '{"r":1}'],
      ['adapter_model.safetensors', 'w'.repeat(1_500)],
    ]),
  )
})

const negative = Buffer.alloc(12, 0xff)
const binary = Buffer.from([0x80, ...Buffer.alloc(10), 9])

describe('an archive is refused before a member is read', () => {
  test.each<[string, RegExp, Buffer[]]>([
    ['a size in a pax header that is not a number', /extension of its header/, [aPaxHeader('size=abc'), ...files]],
    ['a negative size in a pax header', /extension of its header/, [aPaxHeader('size=-1000000000000'), ...files]],
    ['a size of 1e12 in a pax header', /extension of its header/, [aPaxHeader('size=1000000000000'), ...files]],
    ['a size that is not octal', /not an octal number/, [aTarHeader({ size: '99999999999 ' }), ...files]],
    ['a size in words', /not an octal number/, [aTarHeader({ size: 'abc' }), ...files]],
    ['a negative size in binary', /not an octal number/, [aTarHeader({ size: negative }), ...files]],
    ['a size in binary', /not an octal number/, [aTarHeader({ size: binary }), ...files]],
    ['an extension of 100 MB', /extension of 100000000 bytes/, [aTarHeader({ type: 'x', size: octal(1e8) }), ...files]],
    ['a long name of 100 MB', /extension of 100000000 bytes/, [aTarHeader({ type: 'L', size: octal(1e8) }), ...files]],
    ['a file of 8 GiB', /"adapter_config.json" has 8589934591 bytes/, [aTarHeader({ size: octal(8 ** 11 - 1) }), ...files]],
    ['a folder with a size', /folder "x\/" has a size/, [aTarHeader({ name: 'x/', size: octal(512) }), ...files]],
    ['a folder with a size and its own type', /folder "x" has a size/, [aTarHeader({ name: 'x', type: '5', size: octal(512) }), ...files]],
    ['a symbolic link', /"config.json" is a symbolic link; pack the files/, [aTarHeader({ name: 'config.json', type: '2' }), ...files]],
    ['a hard link', /is a hard link/, [aTarHeader({ type: '1' }), ...files]],
    ['a sparse file', /is of the type "S"/, [aTarHeader({ type: 'S' }), ...files]],
    ['two files of one name', /two files adapter_config.json/, [...files, files[0]!]],
    ['a name of 2,000 bytes', /name of more than 1024 bytes/, [aPaxHeader(`path=${'n'.repeat(2_000)}`), ...files]],
    ['too many members', /more than 10000 files/, Array.from({ length: 10_001 }, () => aTarHeader({ name: 'x' }))],
    ['an old form', /not a tar.gz archive: a header is missing, or in a form before ustar/, [aTarHeader({ magic: '' }), ...files]],
    ['a cut file', /Unexpected end/, [files[0]!, files[1]!.subarray(0, 600)]],
  ])('%s', async (_name, message, blocks) => {
    const refused = unpack(packed(...blocks), { maxBytes: 16 * maxBytes })
    await expect(refused).rejects.toBeInstanceOf(ModelFileError)
    await expect(refused).rejects.toThrow(message)
  })

  test('a configuration of 100 MB in 97 kB', async () => {
    const archive = packed(aTarHeader({ size: octal(1e8) }), Buffer.alloc(1e8, ' '))
    expect(archive.length).toBeLessThan(100_000)
    await expect(unpack(archive, { maxBytes: 2 ** 30 })).rejects.toThrow(
      'adapter_config.json has 100000000 bytes; at most 1048576 are read',
    )
    await expect(readArchived(Readable.from([archive]), new Map([['adapter_config.json', String]]), { maxBytes: 2 ** 30 })).rejects.toThrow(
      'at most 1048576',
    )
    await expect(unpack(archive)).rejects.toThrow('an archive unpacks to at most 1048576')
  })

  test('more bytes than it may unpack to, in files that are left out as well', async () => {
    const rest = Array.from({ length: 20 }, (_, at) => aTarFile(`notes-${at}.txt`, 'x'.repeat(100_000)))
    await expect(unpack(packed(...files, ...rest))).rejects.toThrow('unpacks to more than 1048576 bytes')
    await expect(unpack(packed(...files, Buffer.alloc(2 * maxBytes)))).rejects.toThrow('unpacks to more than 1048576 bytes')
  })
})

test('an abort ends the reading with its reason', async () => {
  const abort = new AbortController()
  const endless = Readable.from(
    (async function* () {
      yield gzipSync(files[0]!)
      abort.abort(new Error('the client left'))
      await new Promise(() => undefined)
    })(),
  )
  const folder = mkdtempSync(join(root, 'aborted-'))
  await expect(unpackCheckpoint(endless, folder, { maxBytes, signal: abort.signal })).rejects.toThrow('the client left')
})

test('whatever bytes of an archive are changed, it is unpacked within its bounds or refused, and always ends', async () => {
  const whole = Buffer.concat([aPaxHeader('path=a/adapter_config.json'), ...files, aTarFile('config.json', '{}'), tarEnd])
  const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255), fixes: fc.boolean() })
  const field = fc.record({ header: fc.nat(4), size: fc.uint8Array({ minLength: 12, maxLength: 12 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), fc.option(field), fc.nat(whole.length), async (changes, size, cut) => {
      const archive = Buffer.from(whole)
      if (size) Buffer.from(size.size).copy(archive, size.header * 1_024 + 124)
      for (const { at, byte } of changes) archive[at] = byte
      for (const { at, fixes } of changes) if (fixes) fixChecksum(archive, at)
      if (size) fixChecksum(archive, size.header * 1_024)
      const outcome = await unpack(gzipSync(archive.subarray(0, cut === 0 ? archive.length : cut))).catch((error: unknown) => error)
      if (outcome instanceof Map) expect([...(outcome as Map<string, string>).values()].join('').length).toBeLessThanOrEqual(maxBytes)
      else expect(outcome).toBeInstanceOf(ModelFileError)
    }),
    { numRuns: trials({ usual: 300, long: 20_000 }) },
  )
})

/** So that what follows the checksum is read as well. */
function fixChecksum(archive: Buffer, at: number): void {
  const header = archive.subarray(at - (at % 512), at - (at % 512) + 512)
  header.write('        ', 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
}

test('files come out whole, however the archive is cut into chunks', async () => {
  const texts = fc.array(fc.string({ maxLength: 1_200 }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(1_000), async (contents, step) => {
      const names = contents.map((_, at) => `model-0000${at}-of-00005.safetensors`)
      const archive = packed(...contents.map((content, at) => aTarFile(names[at]!, content)))
      const folder = mkdtempSync(join(root, 'pieces-'))
      const pieces = Array.from({ length: Math.ceil(archive.length / (step + 1)) }, (_, at) =>
        archive.subarray(at * (step + 1), (at + 1) * (step + 1)),
      )
      await unpackCheckpoint(Readable.from(pieces), folder, { maxBytes })
      expect(names.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(contents.map((text) => Buffer.from(text).toString()))
    }),
    { numRuns: trials({ usual: 30, long: 1_000 }) },
  )
})
