import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingKeys, variableOf } from '../../settings/settings.ts'
import { checkHeddleCommand } from './check-heddle-command.ts'
import type { RecordedCommand } from './recorded-commands.ts'
import { repository } from './repository.ts'

/** What a document says of itself: names of packages are resolved in its folder. */
interface Place {
  document: string
}

/** Throws for what the program would not accept, or what is not in this repository. */
type ProgramCheck = (command: RecordedCommand, place: Place) => void

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
type Manifest = Record<'scripts' | 'dependencies' | 'devDependencies' | 'peerDependencies', Record<string, string> | undefined>
const manifestIn = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Manifest

function mustExist(path: string): void {
  if (!existsSync(join(repository, path))) throw new Error(`the repository has no ${path}`)
}

const script = /^(?:apps\/heddle|\/app)\/dist\/main\.js$/

/** What follows the script of the command, wherever it is in a line, is a call of Heddle. */
function checkCallsIn({ words, environment }: RecordedCommand): void {
  const at = words.findIndex((word) => script.test(word))
  if (at >= 0) checkHeddleCommand(words.slice(at + 1), environment)
}

const node: ProgramCheck = (command, { document }) => {
  checkCallsIn(command)
  const at = command.words.indexOf('--import')
  const [, name, entry] = /^(@heddle\/[\w-]+)\/([\w-]+)$/.exec(command.words[at + 1] ?? '') ?? []
  if (at < 0 || name === undefined) return
  const { exports } = JSON.parse(read(join(document, '../package.json'))) as { exports: object }
  if (!Object.hasOwn(exports, `./${entry}`)) throw new Error(`${name} has no entry ./${entry}`)
}

const npm: ProgramCheck = ({ words: [, verb = '', ...rest] }, { document }) => {
  if (verb === 'install') return rest.forEach((name) => checkNpmPackage(name, document))
  const [name = ''] = verb === 'run' ? rest : [verb]
  const prefix = rest.includes('--prefix') ? (rest[rest.indexOf('--prefix') + 1] ?? '') : ''
  if (manifestIn(prefix).scripts?.[name] === undefined) throw new Error(`${join(prefix, 'package.json')} has no script "${name}"`)
}

/** A page of a client pins what was tried; the README of a package names itself and what it works with. */
function checkNpmPackage(text: string, document: string): void {
  if (/^(@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/.test(text)) return
  const { name, ...manifest } = JSON.parse(read(join(document, '../package.json'))) as Manifest & { name: string }
  const known = [name, ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies })]
  if (!known.includes(text)) throw new Error(`"${text}" has no exact version, and is not what ${document} is about`)
}

const pip: ProgramCheck = ({ words: [, verb, ...packages] }, { document }) => {
  const page = document.replace(/^docs\/clients\/(.*)\.md$/, '$1')
  const pinned = read(`apps/docs/python/requirements/${page}.txt`).split(/\s+/)
  const others = packages.filter((name) => !pinned.includes(name))
  if (verb !== 'install' || others.length > 0) throw new Error(`${others.join(', ')} is not what the programs of the page run with`)
}

const npx: ProgramCheck = ({ words: [, name = '', ...args], environment }) => {
  if (name === 'heddle') return checkHeddleCommand(args, environment)
  // Its two modes are in the same page, whose test runs each.
  if (name !== 'tsx' || args[0] !== 'forecaster.ts') throw new Error(`nothing is known of npx ${name}`)
}

/** Files of this repository that a line names by a flag. */
const checkFiles =
  (...flags: string[]): ProgramCheck =>
  (command) => {
    const { words } = command
    words.forEach((word, at) => flags.includes(word) && mustExist(words[at + 1] ?? ''))
    const variables = words.flatMap((word, at) => (word === '--env' ? [words[at + 1]?.split('=')[0] ?? ''] : []))
    const unknown = variables.filter((name) => !settingKeys.map(variableOf).includes(name))
    if (unknown.length > 0) throw new Error(`the server has no setting ${unknown.join(', ')}`)
    checkCallsIn(command)
  }

const helm: ProgramCheck = (command, place) => {
  mustExist(join(command.words[3] ?? '', 'Chart.yaml'))
  checkFiles('--values')(command, place)
}

/** How the commands of documents are checked, by their program. */
export const programChecks: Readonly<Record<string, ProgramCheck>> = {
  heddle: ({ words, environment }) => checkHeddleCommand(words.slice(1), environment),
  node,
  npm,
  npx,
  pip,
  docker: checkFiles('--file'),
  helm,
  cd: ({ words }) => mustExist(words[1] ?? ''),
  sh: ({ words }) => mustExist(words[1] ?? ''),
  alias: ({ words: [, text = ''] }) => {
    if (text !== 'heddle=node apps/heddle/dist/main.js') throw new Error(`alias ${text} is not the command`)
  },
}

/** Programs of which nothing is checked but that the shell can read their lines, with the reason. */
export const uncheckedPrograms: Readonly<Record<string, string>> = {
  base64: 'a tool of the system',
  cat: 'a tool of the system, which shows a file of the reader',
  claude: 'an assistant that needs an account',
  kubectl: 'needs a cluster; the secrets that it creates are those of the example values, which chart.test.ts checks',
  openssl: 'a tool of the system',
  python: 'the program of the reader',
  uv: 'installs 7 GB of a training engine; `npm run test:python -- apps/training/skyrl` does with the same versions',
  vllm: 'an inference server for a GPU',
}
