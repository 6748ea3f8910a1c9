import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilePart } from '@heddle/core-api'
import { sliceOfCases, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { bytesDigest } from '../../payload/digest.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import vectors from '../../vectors/digest-vectors.json' with { type: 'json' }

const emptyDigest = '47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU'
const boundary = 'heddle-boundary'

type NewPart = { name: string; value: string | Uint8Array; filename?: string; type?: string }

const aPart = (part: Partial<FilePart> = {}): FilePart => ({
  field: 'file',
  filename: 'a.txt',
  content_type: 'text/plain',
  bytes: Buffer.from('hello'),
  ...part,
})

/** The body of a form, exactly as it is written here. */
function formOf(parts: readonly NewPart[]): Buffer {
  const pieces = parts.flatMap(({ name, value, filename, type }) => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`,
    type === undefined ? '\r\n' : `content-type: ${type}\r\n\r\n`,
    value,
    '\r\n',
  ])
  return Buffer.concat([...pieces.map((piece) => Buffer.from(piece)), Buffer.from(`--${boundary}--\r\n`)])
}

describe.each(['sqlite', 'postgres'] as const)('files on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  const isWhole = kind === 'sqlite'
  if (kind === 'postgres' && postgresUrl === '') return
  let app: TestApp
  let project_id: string

  beforeAll(async () => {
    app = await startTestApp(kind === 'postgres' ? { postgresUrl } : {})
    project_id = app.newProject()
  })
  afterAll(() => app.close())

  const create = (part: Partial<FilePart> = {}, expected_digest?: string) =>
    app.client.files.create({ project_id, files: [aPart(part)], ...(expected_digest !== undefined && { expected_digest }) })
  const content = async (digest: string, from = project_id) => {
    const { bytes, content_type } = await app.client.files.content({ project_id: from, digest })
    expect(content_type).toBe('application/octet-stream')
    return Buffer.from(bytes)
  }
  const send = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    app.service.fetch(
      new Request(`http://heddle.test${path}`, {
        method: 'POST',
        body: body as Uint8Array<ArrayBuffer>,
        headers: { authorization: `Bearer ${app.apiKey}`, ...headers },
      }),
    )
  const sendForm = (parts: readonly NewPart[], path = '/file/create') =>
    send(path, formOf(parts), { 'content-type': `multipart/form-data; boundary=${boundary}` })
  const ask = (digest: string, headers: Record<string, string> = {}) =>
    send('/file/content', JSON.stringify({ project_id, digest }), headers)
  const recordOf = (digest: string, from = project_id) =>
    app.stores.database
      .selectFrom('files')
      .innerJoin('projects', 'projects.id', 'files.project_id')
      .select(['files.name', 'files.size_bytes', 'files.sha256'])
      .where('files.project_id', '=', from)
      .where('digest', '=', digest)
      .executeTakeFirst()
  const unfinished = () => readdir(join(app.stores.dataDir, 'blobs', 'incoming'))
  const countBlobs = async () => {
    let count = 0
    for await (const { digest } of app.stores.blobs.list()) if (digest) count++
    return count
  }

  describe('create', () => {
    test.each(
      sliceOfCases(
        vectors.vectors.filter((vector) => vector.kind === 'file'),
        { isWhole },
      ),
    )('the digest is as recorded, and the content is read right after the write: $name', async (vector) => {
      const { bytes_hex, repeat } = vector as { bytes_hex?: string; repeat?: { byte_hex: string; times: number } }
      const bytes = repeat ? Buffer.alloc(repeat.times, Number.parseInt(repeat.byte_hex, 16)) : Buffer.from(bytes_hex ?? '', 'hex')
      expect(await create({ bytes }, vector.digest)).toEqual({ digest: vector.digest })
      expect((await content(vector.digest)).equals(bytes)).toBe(true)
    })

    test('the key of the request is masked in files that are texts and in fields, and files of other types stay as they are', async () => {
      const source = `weave.init(api_key="${app.apiKey}")\n`
      const masked = source.replace(app.apiKey, 'REDACTED'.padEnd(app.apiKey.length, 'x'))
      const { digest } = await create({ filename: 'obj.py', content_type: 'text/x-python', bytes: Buffer.from(source) })
      expect(String(await content(digest))).toBe(masked)
      expect(digest).toBe(bytesDigest(Buffer.from(masked)))
      await expect(
        create({ content_type: 'application/json', bytes: Buffer.from(source) }, bytesDigest(Buffer.from(source))),
      ).rejects.toMatchObject({
        status: 409,
      })
      const image = await create({ filename: 'a.png', content_type: 'image/png', bytes: Buffer.from(source) })
      expect(String(await content(image.digest))).toBe(source)
      const refused = await sendForm([
        { name: 'project_id', value: `acme/${app.apiKey}/x` },
        { name: 'file', value: 'a', filename: 'a' },
      ])
      expect(await refused.text()).not.toContain(app.apiKey)
    })

    test.each(['/file/create', '/files/create', '/traces/file/create'])('%s is the same operation', async (path) => {
      const answer = await sendForm(
        [
          { name: 'project_id', value: project_id },
          { name: 'file', value: path, filename: 'f' },
        ],
        path,
      )
      expect(answer.status).toBe(200)
      const { digest } = (await answer.json()) as { digest: string }
      expect((await content(digest)).toString()).toBe(path)
    })

    test('an object that names files may come before them: nobody looks for them', async () => {
      const val = {
        _type: 'CustomWeaveType',
        weave_type: { type: 'Op' },
        files: { 'obj.py': bytesDigest('later'), 'never.py': 'no digest' },
      }
      const { digest } = await app.client.objects.create({ obj: { project_id, object_id: 'early', val } })
      expect((await app.client.objects.read({ project_id, object_id: 'early', digest })).obj.val).toEqual(val)
      await create({ bytes: Buffer.from('later') })
      expect((await content(bytesDigest('later'))).toString()).toBe('later')
    })

    test('parts come in any order', async () => {
      const project = { name: 'project_id', value: project_id }
      const file = { name: 'file', value: 'in any order', filename: 'f' }
      const { digest } = (await (await sendForm([project, file])).json()) as { digest: string }
      const expected = { name: 'expected_digest', value: digest }
      for (const parts of [
        [file, project],
        [expected, file, project],
        [file, project, expected],
        [project, expected, file],
      ]) {
        const answer = await sendForm(parts)
        expect([answer.status, await answer.json()]).toEqual([200, { digest }])
      }
    })

    test.each(
      sliceOfCases(
        [
          [[{ name: 'file', value: 'x', filename: 'f' }], 'project_id'],
          [[{ name: 'project_id', value: 'test/form' }], 'file'],
          [
            [
              { name: 'project_id', value: 'test/form' },
              { name: 'other', value: 'x', filename: 'f' },
            ],
            'file',
          ],
        ],
        { isWhole },
      ),
    )('a missing field is named with 422: %j', async (parts, missing) => {
      const answer = await sendForm(parts)
      expect([answer.status, await answer.json()]).toEqual([
        422,
        { detail: [{ loc: ['body', missing], msg: 'Field required', type: 'missing' }] },
      ])
      expect(await unfinished()).toEqual([])
    })

    test('an unexpected digest is 409, and nothing is stored', async () => {
      const blobs = await countBlobs()
      const refusal = await create({ bytes: Buffer.from('unexpected') }, emptyDigest).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ status: 409, message: expect.stringContaining(emptyDigest) })
      expect(await countBlobs()).toBe(blobs)
      expect(await unfinished()).toEqual([])
    })

    test('a body beyond the limit is 413, and nothing is stored', async () => {
      const small = await app.anotherServer({ limits: { maxBodyBytes: 100_000 } })
      const blobs = await countBlobs()
      const upload = small.client.files.create({ project_id, files: [aPart({ bytes: Buffer.alloc(100_001, 1) })] })
      await expect(upload).rejects.toMatchObject({ status: 413, message: 'Request too large' })
      expect(await countBlobs()).toBe(blobs)
      expect(await unfinished()).toEqual([])
    })

    test('a body that breaks off is 400, and nothing is stored', async () => {
      const blobs = await countBlobs()
      const whole = formOf([
        { name: 'project_id', value: project_id },
        { name: 'file', value: Buffer.alloc(300_000, 2), filename: 'f' },
      ])
      const answer = await send('/file/create', whole.subarray(0, 200_000), {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      })
      expect([answer.status, await answer.json()]).toEqual([400, { reason: expect.stringContaining('malformed or truncated') }])
      expect(await countBlobs()).toBe(blobs)
      expect(await unfinished()).toEqual([])
    })

    test('the name of the part is the name of the file; without one it gets a name', async () => {
      const named = await create({ bytes: Buffer.from('named'), filename: 'obj.py' })
      expect(await recordOf(named.digest)).toMatchObject({ name: 'obj.py' })
      const answer = await sendForm([
        { name: 'project_id', value: project_id },
        { name: 'file', value: 'nameless', type: 'application/octet-stream' },
      ])
      const { digest } = (await answer.json()) as { digest: string }
      expect(await recordOf(digest)).toMatchObject({ name: '<unnamed_file>' })
    })

    test('the same content again is the same file and keeps its name', async () => {
      const first = await create({ bytes: Buffer.from('twice'), filename: 'first.txt' })
      expect(await create({ bytes: Buffer.from('twice'), filename: 'second.txt' })).toEqual(first)
      expect(await recordOf(first.digest)).toMatchObject({ name: 'first.txt' })
    })

    test('writers of one content at the same time all succeed', async () => {
      const bytes = Buffer.from('together')
      const answers = await Promise.all(Array.from({ length: 20 }, () => create({ bytes })))
      expect(new Set(answers.map(({ digest }) => digest)).size).toBe(1)
      expect((await content(answers[0]?.digest ?? '')).equals(bytes)).toBe(true)
      expect(await unfinished()).toEqual([])
    })

    test('an empty file is a file', async () => {
      expect(await create({ bytes: Buffer.alloc(0) })).toEqual({ digest: emptyDigest })
      expect(await content(emptyDigest)).toHaveLength(0)
    })

    sliceOfSuite({ isWhole })
  })

  describe('content', () => {
    test.each(['/file/content', '/files/content'])('%s sends the bytes as an attachment that no browser runs', async (path) => {
      const { digest } = await create({ bytes: Buffer.from('<script>'), filename: 'x.html', content_type: 'text/html' })
      const answer = await send(path, JSON.stringify({ project_id, digest }))
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment',
        'content-security-policy': "sandbox; default-src 'none'",
        'content-length': '8',
        'accept-ranges': 'bytes',
        etag: `"${digest}"`,
      })
      expect(await answer.text()).toBe('<script>')
    })

    test.each(
      sliceOfCases(
        [
          ['bytes=0-1', 206, 'he', 'bytes 0-1/5'],
          ['bytes=2-', 206, 'llo', 'bytes 2-4/5'],
          ['bytes=-2', 206, 'lo', 'bytes 3-4/5'],
          ['bytes=1-99', 206, 'ello', 'bytes 1-4/5'],
          ['bytes=0-0,2-2', 200, 'hello', null],
          ['lines=0-1', 200, 'hello', null],
        ],
        { isWhole },
      ),
    )('the range %s of "hello" is answered %i with "%s"', async (range, status, text, contentRange) => {
      const { digest } = await create()
      const answer = await ask(digest, { range })
      expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([status, text, contentRange])
      expect(answer.headers.get('content-length')).toBe(String(text.length))
    })

    test('a range beyond the content is 416 and tells the size', async () => {
      const { digest } = await create()
      const answer = await ask(digest, { range: 'bytes=5-' })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */5'])
      expect(await answer.json()).toEqual({ reason: expect.stringContaining('5 bytes'), size_bytes: 5 })
    })

    test('a range of another content is not sent: the whole is', async () => {
      const { digest } = await create()
      const same = await ask(digest, { range: 'bytes=0-1', 'if-range': `"${digest}"` })
      expect([same.status, await same.text()]).toEqual([206, 'he'])
      const other = await ask(digest, { range: 'bytes=0-1', 'if-range': '"other"' })
      expect([other.status, await other.text()]).toEqual([200, 'hello'])
    })

    test('a long file comes back in pieces, byte by byte the same', async () => {
      const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * at) % 251))
      const { digest } = await create({ bytes })
      expect((await content(digest)).equals(bytes)).toBe(true)
      const { bytes: part } = await app.client.files.content({ project_id, digest, range: 'bytes=1000000-1000099' })
      expect(Buffer.from(part).equals(bytes.subarray(1_000_000, 1_000_100))).toBe(true)
    })

    test('every content is found by its digest, in which two signs are letters', async () => {
      const contents = Array.from({ length: 40 }, (_, n) => Buffer.from(`content ${n}`))
      const signs = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').replaceAll(/[^-_]/g, '')
      // One of each count and order of signs, and one without, instead of all.
      const chosen = new Map(contents.map((bytes) => [signs(bytes), bytes]))
      expect(chosen.size).toBeGreaterThan(4)
      for (const bytes of chosen.values()) {
        const { digest } = await create({ bytes })
        expect((await content(digest)).equals(bytes)).toBe(true)
        await app.stores.database.updateTable('files').set({ sha256: null }).where('digest', '=', digest).execute()
        expect((await content(digest)).equals(bytes)).toBe(true)
      }
    })

    test('the content of another project is not found, though the bytes are there', async () => {
      const { digest } = await create({ bytes: Buffer.from('secret') })
      const refusal = { status: 404, message: `File with digest ${digest} not found` }
      await expect(content(digest, app.newProject())).rejects.toMatchObject(refusal)
    })

    test.each(['', 'nothing', '../../etc/passwd', 'X'.repeat(43)])('an unknown digest is not found: %j', async (digest) => {
      await expect(content(digest)).rejects.toMatchObject({ status: 404, message: `File with digest ${digest} not found` })
    })

    sliceOfSuite({ isWhole })
  })

  describe('stats', () => {
    test('sums the bytes of distinct files of the project', async () => {
      const own = app.newProject()
      const put = (bytes: Buffer) => app.client.files.create({ project_id: own, files: [aPart({ bytes })] })
      expect(await app.client.files.queryStats({ project_id: own })).toEqual({ total_size_bytes: 0 })
      for (const bytes of [Buffer.alloc(10), Buffer.alloc(10), Buffer.alloc(0), Buffer.alloc(300)]) await put(bytes)
      expect(await app.client.files.queryStats({ project_id: own })).toEqual({ total_size_bytes: 310 })
      const alias = await send('/files/stats', JSON.stringify({ project_id: own }))
      expect([alias.status, await alias.json()]).toEqual([200, { total_size_bytes: 310 }])
    })

    sliceOfSuite({ isWhole })
  })

  sliceOfSuite({ isWhole })
})

test.each<[string, (path: string) => Promise<unknown>]>([
  [
    'a flipped bit',
    async (path) =>
      writeFile(
        path,
        (await readFile(path)).map((byte, at) => (at === 3 ? byte ^ 1 : byte)),
      ),
  ],
  ['no bytes', (path) => writeFile(path, '')],
  ['no file', (path) => rm(path)],
])(
  'content that has been damaged to %s is 502 with its name and the way out, whole and in ranges, until it is sent again',
  async (_, damage) => {
    const app = await startTestApp()
    onTestFinished(() => app.close())
    const project_id = app.newProject()
    const text = `as it was stored, ${project_id}`
    const part = { field: 'file', filename: 'a.bin', content_type: 'text/plain', bytes: Buffer.from(text) }
    const { digest } = await app.client.files.create({ project_id, files: [part] })
    const sha256 = createHash('sha256').update(part.bytes).digest('hex')
    await damage(join(app.stores.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256))
    const refused = { status: 502, message: expect.stringMatching(new RegExp(`damaged: blob ${sha256}.*heddle doctor`)) }
    await expect(app.client.files.content({ project_id, digest })).rejects.toMatchObject(refused)
    await expect(app.client.files.content({ project_id, digest, range: 'bytes=0-3' })).rejects.toMatchObject(refused)
    await app.client.files.create({ project_id, files: [part] })
    expect(Buffer.from((await app.client.files.content({ project_id, digest })).bytes).toString()).toBe(text)
  },
)
