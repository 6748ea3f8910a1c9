import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import { newerData } from '../../newer-data.ts'
import { replaceFile } from '../../replace-file.ts'

/** Lists the parts of a table's journal in a separate file, so that a part without any files is noticed. */
export interface JournalLedger {
  /** Parts that have begun but not ended. */
  readonly parts: ReadonlySet<number>
  /** Notes parts whose files are on disk, before their rows are acknowledged. Durable once it resolves. */
  begin(numbers: readonly number[]): Promise<void>
  /** Notes parts that the journal no longer needs, before their last file is removed. Durable once it resolves. */
  end(numbers: readonly number[]): Promise<void>
  close(): Promise<void>
}

const format = 1
const firstLine = `HEDDLE-JOURNAL-LEDGER ${format}\n`
/** Bytes after which the file is rewritten with only the remaining parts. */
const longBytes = 64 << 10

/** The folder of the ledgers, a file for each table. `journals`: the folder of the journals. */
const folderOf = (journals: string) => join(dirname(journals), 'journal-ledgers')

/** Where the ledger of a table is. `journal`: the folder of its journal. */
export function ledgerPathOf(journals: string, table: string): string {
  return join(folderOf(journals), table)
}

/** Tables with a ledger. */
export async function ledgerTables(journals: string): Promise<string[]> {
  return (await readdir(folderOf(journals)).catch(() => [])).filter((name) => /^[a-z_]+$/.test(name))
}

/** Parts in the ledger; empty if there is no ledger. Truncated or damaged lines are ignored. @throws StoreError for a newer format */
export async function readLedger(path: string): Promise<Set<number>> {
  const text = await readFile(path, 'latin1').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
  const [, version] = /^HEDDLE-JOURNAL-LEDGER ([0-9]{1,6})\n/.exec(text) ?? []
  if (Number(version) > format) throw newerData(`${path}, format ${version}`)
  const parts = new Set<number>()
  for (const [, entry = '', sign, number, checksum = ''] of text.matchAll(/^(([-+])([0-9]{1,15})) ([0-9a-f]{8})$/gm)) {
    if (checksumOf(entry) !== checksum) continue
    if (sign === '+') parts.add(Number(number))
    else parts.delete(Number(number))
  }
  return parts
}

/** Opens the ledger, and creates it. @throws errors of the file system */
export async function openLedger(path: string): Promise<JournalLedger> {
  const parts = await readLedger(path)
  await makeFolder(dirname(path), dirname(dirname(path)))
  let file: FileHandle | undefined
  let bytes = Infinity
  let running: Promise<void> = Promise.resolve()

  async function writeAnew(): Promise<void> {
    await file?.close()
    file = undefined
    const text = firstLine + linesOf('+', [...parts])
    await replaceFile(path, Buffer.from(text))
    file = await open(path, 'a', 0o600)
    bytes = text.length
  }

  async function note(sign: '+' | '-', numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      if (sign === '+') parts.add(number)
      else parts.delete(number)
    }
    if (file === undefined || bytes > longBytes) return writeAnew()
    const text = linesOf(sign, numbers)
    try {
      await file.appendFile(text)
      await file.datasync()
      bytes += text.length
    } catch (error) {
      // The remains of a failed write are not trusted: the next note rewrites the file.
      bytes = Infinity
      throw error
    }
  }

  function noteNext(sign: '+' | '-', numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return Promise.resolve()
    const next = running.then(() => note(sign, numbers))
    running = next.catch(() => undefined)
    return next
  }

  return {
    parts,
    begin: (numbers) => noteNext('+', numbers),
    end: (numbers) =>
      noteNext(
        '-',
        numbers.filter((number) => parts.has(number)),
      ),
    async close() {
      await running
      await file?.close()
      file = undefined
    },
  }
}

function linesOf(sign: '+' | '-', numbers: readonly number[]): string {
  return numbers.map((number) => `${sign}${number} ${checksumOf(`${sign}${number}`)}\n`).join('')
}

function checksumOf(entry: string): string {
  return crc32(entry).toString(16).padStart(8, '0')
}
