import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { stringifyJson } from '@heddle/json'
import { expect, onTestFinished, test } from 'vitest'
import { describeForms } from './describe-forms.ts'
import { toChosenForm } from './form-flags.ts'
import { findSourceFiles, readRecords } from './read-records.ts'
import type { ChosenForm } from './source-text.ts'

async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-records-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

/** The records of the files, and how the command says that it reads them. */
async function readAll(files: Record<string, string | Uint8Array>, form: ChosenForm = {}) {
  const found = await findSourceFiles(await folderWith(files), form)
  const records = []
  for await (const { record } of readRecords(found.files)) records.push(record)
  return { records, notes: describeForms(found.files) }
}

const records = [{ id: '1', question: 'Größe “x”, y' }]
const table = (separator: string) => `id${separator}question\r\n1${separator}"Größe “x”, y"\r\n`
/** A text whose characters have one byte in Windows-1252. */
const western = (text: string) => Buffer.from(text.replaceAll('“', '\u0093').replaceAll('”', '\u0094'), 'latin1')
const littleEndian = (text: string) => Buffer.from(text, 'utf16le')
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16()

test.each([
  ['a.csv', Buffer.from(table(',')), 'UTF-8, separator: Comma'],
  ['a.csv', Buffer.from(`\uFEFF${table(';')}`), 'UTF-8, separator: Semicolon'],
  ['a.csv', littleEndian(`\uFEFF${table('\t')}`), 'UTF-16, little-endian, separator: Tab'],
  ['a.csv', littleEndian(table(';')), 'UTF-16, little-endian, separator: Semicolon'],
  ['a.csv', bigEndian(`\uFEFF${table('|')}`), 'UTF-16, big-endian, separator: Vertical bar'],
  ['a.csv', bigEndian(table('\t')), 'UTF-16, big-endian, separator: Tab'],
  ['a.csv', western(table(';')), 'Windows-1252 or Latin-1 (Western European), separator: Semicolon'],
  ['a.tsv', western(table('\t')), 'Windows-1252 or Latin-1 (Western European), separator: Tab'],
  ['a.csv.gz', gzipSync(western(table(';'))), 'Windows-1252 or Latin-1 (Western European), separator: Semicolon'],
  ['a.jsonl', littleEndian(`\uFEFF${stringifyJson(records[0])}\r\n`), 'UTF-16, little-endian'],
  ['a.json', bigEndian(stringifyJson(records)), 'UTF-16, big-endian'],
])('%s of bytes %#: encoding and separator are detected, said and used', async (name, bytes, read) => {
  expect(await readAll({ [name]: bytes })).toEqual({ records, notes: [`Reading ${name} as ${read}`] })
})

test('JSON in UTF-8 is read with or without a byte order mark, and needs no words', async () => {
  const line = `${stringifyJson(records[0])}\n`
  expect(await readAll({ 'a.jsonl': line, 'b.jsonl': `\uFEFF${line}`, 'c.json': `\uFEFF${line}` })).toEqual({
    records: [records[0], records[0], records[0]],
    notes: [],
  })
})

test('a file of one column has no separator, whatever its texts hold', async () => {
  expect(await readAll({ 'a.csv': 'question\nWhat is a; b; c?\nx, y\n' })).toEqual({
    records: [{ question: 'What is a; b; c?' }, { question: 'x, y' }],
    notes: ['Reading a.csv as UTF-8, separator: None: one column'],
  })
})

test('encoding and separator that are chosen win over those that are detected', async () => {
  const cyrillic = Buffer.from([0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
  const bytes = Buffer.concat([Buffer.from('a;b,c\n1;'), cyrillic, Buffer.from(',3\n')])
  expect(await readAll({ 'a.csv': bytes }, { encoding: 'windows-1251', separator: ';' })).toEqual({
    records: [{ a: '1', 'b,c': 'привет,3' }],
    notes: ['Reading a.csv as Windows-1251 (Cyrillic), separator: Semicolon'],
  })
  const lines = western(`${stringifyJson(records[0])}\n`)
  expect(await readAll({ 'a.jsonl': lines }, { encoding: 'windows-1252' })).toMatchObject({ records })
})

test('files that are read alike are named once', async () => {
  const files = { 'a.csv': table(';'), 'b.csv': table(';'), 'c.csv': table(';'), 'd.csv': table(','), 'e.jsonl': '' }
  expect((await readAll(files)).notes).toEqual([
    'Reading a.csv and 2 other files as UTF-8, separator: Semicolon',
    'Reading d.csv as UTF-8, separator: Comma',
  ])
})

test('the first records of a large file decide its separator, and its last bytes can refuse it', async () => {
  const rows = Array.from({ length: 10_000 }, (_, at) => `${at};"a, b\n${'x'.repeat(30)}"`)
  const text = ['id;text', ...rows].join('\n')
  const { records: read, notes } = await readAll({ 'a.csv': text })
  expect(notes).toEqual(['Reading a.csv as UTF-8, separator: Semicolon'])
  expect(read).toHaveLength(rows.length)
  const cut = Buffer.concat([Buffer.from(`\uFEFF${text}`), Buffer.from([0xe4])])
  await expect(readAll({ 'a.csv': cut })).rejects.toThrow('a.csv is not valid utf-8')
})

test.each([
  ['a.jsonl', {}, 'a.jsonl is neither UTF-8 nor UTF-16; name its encoding with --encoding: utf-8,'],
  ['a.json', {}, 'a.json is neither UTF-8 nor UTF-16'],
  ['a.csv', { encoding: 'utf-8' }, 'a.csv is not valid utf-8; name its encoding with --encoding'],
  ['a.csv', { encoding: 'utf-16le' }, 'a.csv is not valid utf-16le'],
] as const)('%s in Windows-1252, read with %j, is refused by name', async (name, form, problem) => {
  const odd = western(name.endsWith('.csv') ? 'a;b\n\u00e4;1' : stringifyJson(records))
  await expect(readAll({ [name]: odd }, form)).rejects.toThrow(problem)
})

test('a separator for files that have none is refused', async () => {
  await expect(readAll({ 'a.jsonl': '' }, { separator: ';' })).rejects.toThrow('--separator is for .csv and .tsv files')
})

test('flags name encodings in any case, and separators by name or as they are', () => {
  expect(toChosenForm({ encoding: 'UTF-16LE', separator: 'semicolon' })).toEqual({ encoding: 'utf-16le', separator: ';' })
  expect(toChosenForm({ separator: '|' })).toEqual({ separator: '|' })
})

test.each([
  [{ encoding: 'latin2' }, '--encoding must be one of utf-8, utf-16le,'],
  [{ separator: ':' }, '--separator must be one of comma, semicolon, tab, bar, none, got ":"'],
])('the flags %j are refused', (flags, problem) => {
  expect(() => toChosenForm(flags)).toThrow(problem)
})
