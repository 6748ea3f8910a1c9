import { readMemoryLimit } from '@heddle/datastore/memory'
import type { Configuration } from '../settings/configuration.ts'
import { readSecretMask } from '../settings/configured-secrets.ts'
import { connect } from '../connect.ts'
import { checkBlobs, checkDisk, checkEngine, checkFolder, checkNode } from '../doctor/check-machine.ts'
import { checkBaseModels } from '../doctor/check-base-models.ts'
import { checkDrafts } from '../doctor/check-drafts.ts'
import { checkContents } from '../doctor/check-contents.ts'
import { checkJournals } from '../doctor/check-journals.ts'
import { checkMemory } from '../doctor/check-memory.ts'
import { checkParts } from '../doctor/check-parts.ts'
import { checkRecords } from '../doctor/check-records.ts'
import { checkTables } from '../doctor/check-tables.ts'
import { guarded } from '../doctor/guarded.ts'
import { checkPrices } from '../doctor/check-prices.ts'
import { checkRefusedRows } from '../doctor/check-refused-rows.ts'
import { checkServer } from '../doctor/check-server.ts'
import { checkTrainingLauncher } from '../doctor/check-training-launcher.ts'
import { checkTrainingLibrary } from '../doctor/check-training-library.ts'
import { failure, type Finding, formatFinding, maskFinding, warning } from '../doctor/finding.ts'
import { repairStores } from '../doctor/repair-stores.ts'
import { judgeClock } from '../doctor/rules.ts'
import { withProgress } from '../terminal/progress.ts'
import { systemClock } from '../process/system-clock.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

export interface DoctorOptions {
  configuration: Configuration
  json?: boolean
  /** Accepts the stores as they are, and sets damaged parts of tables aside, before anything is looked at. */
  repair?: boolean
  /** Does not read all that is stored: only what a start looks at, and which files there are. */
  quick?: boolean
}

/**
 * Looks at all that the server needs, one finding after the other, and sends a test span through a running server.
 * @returns true when nothing has failed; warnings do not count.
 */
export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<boolean> {
  if (options.repair) await withProgress(terminal, 'Repairing', () => repairStores(options.configuration))
  const secrets = await readSecretMask(options.configuration)
  const findings: Finding[] = []
  for await (const found of examine(options, terminal)) {
    const finding = maskFinding(found, secrets)
    findings.push(finding)
    if (!options.json) terminal.out(formatFinding(finding))
  }
  if (options.json) terminal.json(JSON.stringify(findings, null, 2))
  return findings.every((finding) => finding.state !== 'failure')
}

async function* examine({ configuration, quick = false }: DoctorOptions, terminal: Terminal): AsyncGenerator<Finding> {
  const reading = { isQuick: quick, onStep: (step: string) => terminal.status(step) }
  yield checkNode()
  const folder = await checkFolder(configuration.dataDir)
  yield folder
  /** What is opened in the data folder leaves files there, also to read it. */
  const opened = (name: string, isOwn: boolean, check: () => AsyncIterable<Finding>) =>
    guarded(name, isOwn && folder.state === 'failure' ? () => one(Promise.resolve(notOpened(name, configuration.dataDir))) : check)
  yield await checkDisk(configuration.dataDir)
  yield checkMemory(readMemoryLimit(), configuration)
  yield* opened('Records', configuration.databaseUrl === undefined, () => checkRecords(configuration, reading))
  yield* guarded('Restore', () => checkDrafts(configuration.dataDir))
  yield* guarded('Refused rows', () => one(checkRefusedRows(configuration.dataDir)))
  yield* guarded('Journals', () => each(checkJournals(configuration.dataDir)))
  yield* opened('Tables', configuration.clickhouseUrl === undefined, () => checkTables(configuration, reading))
  // An engine that has just started has set aside what it cannot read.
  yield* guarded('Tables', () => each(checkParts(configuration)))
  yield* opened('Contents', configuration.databaseUrl === undefined, () => checkContents(configuration, reading))
  terminal.status('')
  yield judgeClock({ now: systemClock(), apart: 0, other: 'a plausible time' })
  yield await checkPrices(configuration)
  yield* await checkBaseModels(configuration)
  yield* await checkTrainingLauncher(configuration)
  yield* await checkTrainingLibrary(configuration)
  yield await withProgress(terminal, 'Starting the engine', () => checkEngine(configuration))
  yield* await checkBlobs(configuration)
  const connection = await connect(configuration).catch(keyFinding)
  if ('state' in connection) {
    yield connection
    return
  }
  const checks = checkServer({ connection, clock: systemClock })
  for (;;) {
    const step = await withProgress(terminal, 'Checking the server', () => checks.next())
    if (step.done) return
    yield step.value
  }
}

function notOpened(name: string, dataDir: string): Finding {
  return warning(
    name,
    `not checked: ${dataDir} cannot be written to, which says nothing of what is in it`,
    'run `heddle doctor` where it can be',
  )
}

async function* one(finding: Promise<Finding>): AsyncGenerator<Finding> {
  yield await finding
}

async function* each(findings: Promise<Finding[]>): AsyncGenerator<Finding> {
  yield* await findings
}

function keyFinding(error: unknown): Finding {
  if (error instanceof UsageError) return warning('Server', 'not checked', error.message)
  return failure('Server', 'not checked', messageOf(error))
}
