/** A part of a table whose files cannot be read as they were written. */
export interface PartDamage {
  /** Undefined if the engine does not name the part. */
  table: string | undefined
  part: string | undefined
  /** The engine's error in one line, without paths. */
  reason: string
}

/** Errors that only damaged files cause: checksums, compression, missing files of a part. */
const ofFiles = new Map([
  [40, 'checksum mismatch'],
  [76, 'a file of it cannot be opened'],
  [107, 'a file of it is missing'],
  [226, 'a file of it is missing'],
  [246, 'its files contradict each other'],
  [271, 'its data cannot be decompressed'],
  [432, 'its data cannot be decompressed'],
])
/** Errors that values of a query cause as well, unless a column of a part was being read. */
const whileReading = new Map([
  [32, 'a file of it ends too early'],
  [33, 'a file of it ends too early'],
  [117, 'its values cannot be decoded'],
  [131, 'its values cannot be decoded'],
])
const readingColumn = /\(while reading column /
const readingPart = /while reading from part (?:\S*\/)?([\w-]+)\/? in table (?:`?\w+`?\.)?`?(\w+)`?/i

/** The damage that an error of the engine reports; undefined for other errors. */
export function findPartDamage(code: number, message: string): PartDamage | undefined {
  const [, part, table] = readingPart.exec(message) ?? []
  const reason = ofFiles.get(code) ?? (part !== undefined && readingColumn.test(message) ? whileReading.get(code) : undefined)
  // Without a part these codes may be about other files, such as those of a backup.
  if (reason === undefined || (part === undefined && code !== 40 && code !== 271)) return undefined
  return { table, part, reason }
}

/** Damage in words for users and operators. */
export function describePartDamage({ table, part, reason }: PartDamage): string {
  const name = part === undefined ? 'a part of a table' : `part ${part} of table ${table}`
  return `${name} is damaged (${reason}); restore a backup into a new data folder, or set the part aside with \`heddle doctor --repair\` and continue without its rows`
}
