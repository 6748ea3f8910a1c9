import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JournalDamage } from './journal-damage.ts'
import { examineJournals } from './examine-journals.ts'
import { ledgerPathOf, openLedger, readLedger } from './journal-ledger.ts'
import { type Journal, journaledTables, openJournal } from './journal.ts'

const columns = ['a']

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-ledger-of-journals-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The journal of the calls in a folder of an engine, with what it reported when it was opened. */
async function open(engine: string, partBytes = 1) {
  const damages: JournalDamage[] = []
  const journals = join(engine, 'journal')
  const journal = await openJournal(join(journals, 'calls'), {
    partBytes,
    ledgerPath: ledgerPathOf(journals, 'calls'),
    onDamage: (damage) => void damages.push(damage),
  })
  return { journal, damages }
}

const append = (journal: Journal, text: string) => journal.append({ bytes: Buffer.from(text), rows: 1, columns })

async function drain(journal: Journal): Promise<string> {
  let text = ''
  for (let part = await journal.next(); part; part = await journal.next()) {
    text += readFileSync(part.rowsPath, 'utf8')
    await journal.remove(part)
  }
  return text
}

/** As a killed server leaves the folder. */
function killed(engine: string): string {
  const copy = aFolder()
  cpSync(engine, copy, { recursive: true })
  return copy
}

const remove = (engine: string, part: number) => {
  for (const name of readdirSync(join(engine, 'journal', 'calls')))
    if (name.startsWith(`${part}.`)) rmSync(join(engine, 'journal', 'calls', name))
}

test('a part whose files are all gone is reported once, with a report, and the others are read', async () => {
  const engine = aFolder()
  const { journal } = await open(engine)
  for (const text of ['one ', 'two ', 'three ']) await append(journal, text)
  const copy = killed(engine)
  await journal.close()
  remove(copy, 2)
  expect(await examineJournals(join(copy, 'journal'))).toMatchObject([{ table: 'calls', part: 2, isCertain: true }])
  const second = await open(copy)
  expect(second.damages).toMatchObject([{ table: 'calls', part: 2, isCertain: true, reason: 'all of its files are gone' }])
  expect(existsSync(join(copy, 'journal', 'calls', 'damaged', '2.json'))).toBe(true)
  expect(await drain(second.journal)).toBe('one three ')
  await second.journal.close()
  const third = await open(copy)
  expect(third.damages).toEqual([])
  await third.journal.close()
})

test('the folder of a journal that is gone is missed as well', async () => {
  const engine = aFolder()
  const { journal } = await open(engine)
  await append(journal, 'rows')
  const copy = killed(engine)
  await journal.close()
  rmSync(join(copy, 'journal'), { recursive: true })
  expect(await examineJournals(join(copy, 'journal'))).toHaveLength(1)
  expect(await journaledTables(join(copy, 'journal'))).toEqual(['calls'])
  const second = await open(copy)
  expect(second.damages).toMatchObject([{ part: 1 }])
  await second.journal.close()
})

test('a kill at any moment of the life of parts raises no alarm, and numbers are not used again', async () => {
  const engine = aFolder()
  const { journal } = await open(engine, 8)
  const copies: string[] = []
  for (let round = 0; round < 6; round++) {
    await append(journal, `row ${round} `)
    copies.push(killed(engine))
    const part = await journal.next()
    copies.push(killed(engine))
    if (part && round % 3 === 1) await journal.split(part)
    else if (part && round % 3 === 2) await journal.quarantine(part)
    else if (part) await journal.remove(part)
    copies.push(killed(engine))
  }
  await drain(journal)
  await journal.close()
  copies.push(killed(engine))
  for (const copy of copies) {
    expect(await examineJournals(join(copy, 'journal'))).toEqual([])
    const opened = await open(copy)
    expect(opened.damages).toEqual([])
    await drain(opened.journal)
    await opened.journal.close()
    expect([...(await readLedger(ledgerPathOf(join(copy, 'journal'), 'calls')))]).toEqual([])
  }
})

test('a journal of a version without a ledger gets one', async () => {
  const engine = aFolder()
  const { journal } = await open(engine)
  await append(journal, 'rows')
  const copy = killed(engine)
  await journal.close()
  rmSync(join(copy, 'journal-ledgers'), { recursive: true })
  const second = await open(copy)
  expect(second.damages).toEqual([])
  const again = killed(copy)
  await second.journal.close()
  remove(again, 1)
  const third = await open(again)
  expect(third.damages).toMatchObject([{ part: 1 }])
  await third.journal.close()
})

test('a line that is cut short or damaged counts for nothing, and a newer format is refused', async () => {
  const path = join(aFolder(), 'ledgers', 'calls')
  const ledger = await openLedger(path)
  await ledger.begin([1, 2, 3])
  await ledger.end([2])
  await ledger.close()
  expect([...(await readLedger(path))]).toEqual([1, 3])
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, `${text}+4 00000000\n+5 1234`)
  expect([...(await readLedger(path))]).toEqual([1, 3])
  writeFileSync(path, text.replace('LEDGER 1', 'LEDGER 2'))
  await expect(readLedger(path)).rejects.toThrow(/newer version/)
})

test('a ledger stays short however many parts there were', async () => {
  const path = join(aFolder(), 'ledgers', 'calls')
  const ledger = await openLedger(path)
  for (let at = 0; at < 200; at++) {
    await ledger.begin(Array.from({ length: 50 }, (_, index) => at * 50 + index))
    await ledger.end(Array.from({ length: 50 }, (_, index) => at * 50 + index))
  }
  await ledger.begin([77_777])
  await ledger.close()
  expect(statSync(path).size).toBeLessThan(70_000)
  expect([...(await readLedger(path))]).toEqual([77_777])
})
