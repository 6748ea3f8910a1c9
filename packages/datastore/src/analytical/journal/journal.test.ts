import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { NamedRows } from '../committer.ts'
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

/** A journal whose process ended without closing it, with one part of these blocks. */
async function leftBehind(...texts: string[]): Promise<{ folder: string; rows: string; records: string }> {
  const folder = aFolder()
  const journal = await openJournal(folder)
  await append(journal, ...texts)
  await journal.close()
  const [records = '', rows = ''] = readdirSync(folder).toSorted()
  return { folder, rows: join(folder, rows), records: join(folder, records) }
}

test('blocks that come together are one part, in order, and later ones the next', async () => {
  const journal = await openJournal(aFolder())
  await append(journal, 'one ', 'two ')
  const first = await journal.next()
  await append(journal, 'three')
  expect(first).toMatchObject({ columns, blocks: [4, 4], bytes: 8 })
  expect(journal).toMatchObject({ bytes: 13, appended: 3 })
  expect(await drain(journal)).toEqual(['one two ', 'three'])
  expect(journal.bytes).toBe(0)
})

test('a part comes again until it is removed, and then its files are gone', async () => {
  const folder = aFolder()
  const journal = await openJournal(folder)
  await append(journal, 'rows')
  const part = await journal.next()
  expect(await journal.next()).toBe(part)
  expect(readdirSync(folder)).toHaveLength(2)
  await journal.remove(part as JournalPart)
  expect(readdirSync(folder)).toEqual([])
  expect(await journal.next()).toBeUndefined()
})

test('a part whose files cannot be removed does not come again, and they go with the next', async () => {
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
  expect(readdirSync(folder)).toEqual([])
})

test('blocks that are appended without pause all arrive once, while parts are taken', async () => {
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

test('the next process finds what was appended, with the columns of that time', async () => {
  const { folder } = await leftBehind('one ', 'two ')
  const journal = await openJournal(folder)
  await append(journal, 'new')
  expect(journal.appended).toBe(3)
  expect(await journal.next()).toMatchObject({ columns, blocks: [4, 4] })
  expect(await drain(journal)).toEqual(['one two ', 'new'])
})

test('numbers of parts go on after the highest that was found, whatever is left of it', async () => {
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
  await second.journal.setAside(second.part)
  const third = await addPart()
  expect(third.number).toBe(second.number + 1)
  rmSync(third.part.rowsPath)
  expect((await addPart()).number).toBe(third.number + 1)
})

test('a file cut at any byte gives its whole blocks, and nothing else', async () => {
  const texts = ['first block ', 'second ', 'third']
  const whole = texts.join('')
  for (let length = 0; length <= whole.length; length++) {
    const { folder, rows } = await leftBehind(...texts)
    truncateSync(rows, length)
    const ends = texts.map((_, index) => texts.slice(0, index + 1).join('').length)
    const kept = Math.max(0, ...ends.filter((end) => end <= length))
    expect((await drain(await openJournal(folder))).join('')).toBe(whole.slice(0, kept))
  }
})

test('records cut at any byte give the blocks that they name whole', async () => {
  const texts = ['first block ', 'second ']
  const { records } = await leftBehind(...texts)
  const size = readFileSync(records).length
  for (let length = 0; length <= size; length++) {
    const left = await leftBehind(...texts)
    truncateSync(left.records, length)
    const found = (await drain(await openJournal(left.folder))).join('')
    const named = Math.max(0, Math.floor((length - 'a b\n'.length) / 8))
    expect(found).toBe(texts.slice(0, named).join(''))
  }
})

test('a block with any flipped bit ends what is trusted', async () => {
  const texts = ['first block ', 'second ']
  for (let bit = 0; bit < texts.join('').length * 8; bit += 5) {
    const { folder, rows } = await leftBehind(...texts)
    const bytes = readFileSync(rows)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    writeFileSync(rows, bytes)
    expect((await drain(await openJournal(folder))).join('')).toBe(bit >> 3 < 12 ? '' : texts[0])
  }
})

test('a part is divided into its blocks, of which one may be set aside', async () => {
  const folder = aFolder()
  const journal = await openJournal(folder)
  await append(journal, 'good ', 'bad', ' fine')
  await journal.divide((await journal.next()) as JournalPart)
  const [first] = [await journal.next()]
  expect(first).toMatchObject({ columns, blocks: [5] })
  await journal.remove(first as JournalPart)
  const path = await journal.setAside((await journal.next()) as JournalPart)
  expect(readFileSync(path, 'utf8')).toBe('bad')
  expect(await drain(journal)).toEqual([' fine'])
  expect(await drain(await openJournal(folder))).toEqual([])
})

test('a folder that is gone refuses blocks by a failure of the store', async () => {
  const folder = aFolder()
  const journal = await openJournal(join(folder, 'calls'))
  rmSync(join(folder, 'calls'), { recursive: true })
  await expect(journal.append(aBlock('x'))).rejects.toMatchObject({ name: 'StoreError', kind: 'failed' })
})
