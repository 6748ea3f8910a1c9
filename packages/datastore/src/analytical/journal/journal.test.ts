import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { NamedRows } from '../rows/named-rows.ts'
import type { JournalDamage } from './journal-damage.ts'
import type { JournalPart } from './journal-part.ts'
import { openJournal, type Journal } from './journal.ts'

const columns = ['a', 'b']

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const aBlock = (text: string): NamedRows => ({ bytes: Buffer.from(text), rows: 1, columns })

const append = (journal: Journal, ...texts: string[]) => Promise.all(texts.map((text) => journal.append(aBlock(text))))

/** What the table would be given: the rows of all parts, part by part. */
async function drain(journal: Journal): Promise<string[]> {
  const rows: string[] = []
  for (let part = await journal.next(); part; part = await journal.next()) {
    rows.push(readFileSync(part.rowsPath, 'utf8'))
    await journal.remove(part)
  }
  return rows
}

/** A journal whose process inactive without closing it, with one part of these blocks. */
async function leftBehind(...texts: string[]): Promise<{ folder: string; rows: string; blockIndex: string }> {
  const folder = aFolder()
  const journal = await openJournal(folder)
  await append(journal, ...texts)
  await journal.close()
  const [blockIndex = '', rows = ''] = readdirSync(folder).toSorted()
  return { folder, rows: join(folder, rows), blockIndex: join(folder, blockIndex) }
}

test('blocks that are appended together form one part, in order, and later ones the next', async () => {
  const journal = await openJournal(aFolder())
  await append(journal, 'one ', 'two ')
  const first = await journal.next()
  await append(journal, 'three')
  expect(first).toMatchObject({
    columns,
    blocks: [
      { bytes: 4, rows: 1 },
      { bytes: 4, rows: 1 },
    ],
    bytes: 8,
  })
  expect(journal).toMatchObject({ bytes: 13, appended: 3 })
  expect(await drain(journal)).toEqual(['one two ', 'three'])
  expect(journal.bytes).toBe(0)
})

test('a small block of one tenant is on disk before all that another one has sent in bulk, of which nothing is lost', async () => {
  const journal = await openJournal(aFolder())
  const written: string[] = []
  const add = async (tenant: string, letter: string, bytes: number) => {
    await journal.append({ ...aBlock(letter.repeat(bytes)), tenant })
    written.push(letter)
  }
  const bulk = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all([...bulk.map((letter) => add('greedy', letter, 800_000)), add('calm', 'z', 10)])
  expect(written.indexOf('z')).toBeLessThan(written.indexOf('d'))
  expect(written.filter((letter) => letter !== 'z')).toEqual(bulk)
  const rows = (await drain(journal)).join('')
  expect(rows).toHaveLength(bulk.length * 800_000 + 10)
  expect(new Set(rows)).toEqual(new Set([...bulk, 'z']))
  await journal.close()
})

test('a part that is full takes no more, and what came before a part that is not is returned first', async () => {
  const folder = aFolder()
  const journal = await openJournal(folder, { partBytes: 6 })
  for (const text of ['one ', 'two ', 'three ', 'four']) await append(journal, text)
  expect((await journal.next())?.bytes).toBe(8)
  expect(readdirSync(folder).filter((name) => name.endsWith('.rows'))).toHaveLength(3)
  await append(journal, ' five')
  expect(await drain(journal)).toEqual(['one two ', 'three ', 'four five'])
  await journal.close()
  expect(await drain(await openJournal(folder))).toEqual([])
})

test('a part is returned until it is removed; then its rows are gone, and once the journal is closed all of its files', async () => {
  const folder = aFolder()
  const journal = await openJournal(folder)
  await append(journal, 'rows')
  const part = await journal.next()
  expect(await journal.next()).toBe(part)
  expect(readdirSync(folder)).toHaveLength(2)
  await journal.remove(part as JournalPart)
  expect(readdirSync(folder)).toEqual(['1.written'])
  expect(await journal.next()).toBeUndefined()
  await journal.close()
  expect(readdirSync(folder)).toEqual([])
})

test('a part whose files cannot be removed is not returned again, and its files are removed with the next', async () => {
  const folder = aFolder()
  const journal = await openJournal(folder)
  await append(journal, 'rows')
  const part = (await journal.next()) as JournalPart
  rmSync(part.rowsPath)
  mkdirSync(part.rowsPath)
  await journal.remove(part)
  expect(await journal.next()).toBeUndefined()
  expect(journal.bytes).toBe(0)
  rmdirSync(part.rowsPath)
  await append(journal, 'more')
  await drain(journal)
  await journal.close()
  expect(readdirSync(folder)).toEqual([])
})

test('blocks appended concurrently with reads all arrive exactly once', async () => {
  const journal = await openJournal(aFolder())
  const sent = Array.from({ length: 300 }, (_, index) => `${index} `)
  const taken: string[] = []
  const appending = (async () => {
    for (const text of sent) await append(journal, text)
  })()
  while (taken.join('').split(' ').length <= sent.length) taken.push(...(await drain(journal)))
  await appending
  expect(taken.join('')).toBe(sent.join(''))
})

test('the next process finds what was appended, with the columns it had then', async () => {
  const { folder } = await leftBehind('one ', 'two ')
  const journal = await openJournal(folder)
  await append(journal, 'new')
  expect(journal.appended).toBe(3)
  expect(await journal.next()).toMatchObject({ columns, blocks: [{ bytes: 4 }, { bytes: 4 }] })
  expect(await drain(journal)).toEqual(['one two ', 'new'])
})

test('part numbers continue after the highest one found, whatever is left of that part', async () => {
  const folder = aFolder()
  const addPart = async () => {
    const journal = await openJournal(folder)
    for (let part = await journal.next(); part; part = await journal.next()) await journal.remove(part)
    await append(journal, 'row')
    const part = (await journal.next()) as JournalPart
    return { journal, part, number: Number(basename(part.rowsPath, '.rows')) }
  }
  const first = await addPart()
  const second = await addPart()
  expect(second.number).toBe(first.number + 1)
  await second.journal.quarantine(second.part)
  const third = await addPart()
  expect(third.number).toBe(second.number + 1)
  rmSync(third.part.rowsPath)
  expect((await addPart()).number).toBe(third.number + 1)
})

test('a power cut during removal returns no part again, whichever files it brings back', async () => {
  const { folder, rows, blockIndex } = await leftBehind('one ', 'two ')
  const files = { [rows]: readFileSync(rows), [blockIndex.replace('.blocks', '.written')]: readFileSync(blockIndex) }
  for (const left of [[rows, blockIndex.replace('.blocks', '.written')], [blockIndex.replace('.blocks', '.written')]]) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    for (const path of left) writeFileSync(path, files[path] ?? '')
    const damages: JournalDamage[] = []
    const journal = await openJournal(folder, { onDamage: (damage) => damages.push(damage) })
    expect({ parts: await drain(journal), damages }).toEqual({ parts: [], damages: [] })
    await journal.close()
    expect(readdirSync(folder)).toEqual([])
  }
})

/** Opens a damaged journal, and again. Returns what came of it. */
async function openDamaged(folder: string) {
  const damages: JournalDamage[] = []
  const found = (await drain(await openJournal(folder, { columns: [columns], onDamage: (damage) => damages.push(damage) }))).join('')
  const second = await openJournal(folder, { columns: [columns], onDamage: (damage) => damages.push(damage) })
  expect(await drain(second), 'what is set aside does not come again').toEqual([])
  await second.close()
  return { found, damages, kept: readdirSync(folder).includes('damaged') ? readdirSync(join(folder, 'damaged')).toSorted() : [] }
}

test('a damaged part is quarantined whole and reported once, and its intact blocks are inserted', async () => {
  const texts = ['first block ', 'second ', 'third']
  const { folder, rows, blockIndex } = await leftBehind(...texts)
  const bytes = readFileSync(rows)
  bytes[14] = (bytes[14] ?? 0) ^ 4
  writeFileSync(rows, bytes)
  const entryBytes = readFileSync(blockIndex)
  const { found, damages, kept } = await openDamaged(folder)
  expect(found).toBe('first block third')
  expect(damages).toEqual([
    {
      table: basename(folder),
      part: 1,
      isCertain: true,
      reason: expect.stringContaining('checksum'),
      recovered: { bytes: 17, blocks: 2, rows: 2 },
      missing: { bytes: 7, blocks: 1, rows: 1 },
      folder: join(folder, 'damaged'),
    },
  ])
  expect(kept).toEqual(['1.blocks', '1.json', '1.rows'])
  expect(readFileSync(join(folder, 'damaged', '1.rows'))).toEqual(bytes)
  expect(readFileSync(join(folder, 'damaged', '1.blocks'))).toEqual(entryBytes)
  expect(JSON.parse(readFileSync(join(folder, 'damaged', '1.json'), 'utf8'))).toMatchObject({ format: 1, missing: { rows: 1 } })
})

test('a missing file is reported, and the other one is kept', async () => {
  for (const missing of ['rows', 'blockIndex'] as const) {
    const left = await leftBehind('first block ', 'second ')
    rmSync(left[missing])
    const { found, damages, kept } = await openDamaged(left.folder)
    expect(found).toBe('')
    expect(damages).toMatchObject([{ isCertain: true, missing: { bytes: 19 } }])
    expect(kept).toEqual(missing === 'rows' ? ['1.blocks', '1.json'] : ['1.json', '1.rows'])
  }
})

test('a part of the previous format is read, and an incomplete write at its end is truncated without a report', async () => {
  const { folder, rows, blockIndex } = await leftBehind('first block ', 'second ')
  const sizes = Buffer.alloc(24)
  for (const [index, text] of ['first block ', 'second ', 'third'].entries()) {
    sizes.writeUInt32LE(text.length, index * 8)
    sizes.writeUInt32LE(crc32(text), index * 8 + 4)
  }
  writeFileSync(blockIndex, Buffer.concat([Buffer.from('a b\n'), sizes]))
  writeFileSync(rows, 'first block second thi')
  expect(await openDamaged(folder)).toEqual({ found: 'first block second ', damages: [], kept: [] })
})

test('a part is split into blocks, each of which can be quarantined', async () => {
  const folder = aFolder()
  const journal = await openJournal(folder)
  await append(journal, 'good ', 'bad', ' fine')
  await journal.split((await journal.next()) as JournalPart)
  const [first] = [await journal.next()]
  expect(first).toMatchObject({ columns, blocks: [{ bytes: 5, rows: 1 }] })
  await journal.remove(first as JournalPart)
  const path = await journal.quarantine((await journal.next()) as JournalPart)
  expect(readFileSync(path, 'utf8')).toBe('bad')
  expect(await drain(journal)).toEqual([' fine'])
  expect(await drain(await openJournal(folder))).toEqual([])
})

test('a missing folder rejects blocks with a store error', async () => {
  const folder = aFolder()
  const journal = await openJournal(join(folder, 'calls'))
  rmSync(join(folder, 'calls'), { recursive: true })
  await expect(journal.append(aBlock('x'))).rejects.toMatchObject({ name: 'StoreError', kind: 'failed' })
})
