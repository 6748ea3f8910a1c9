import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findPagePhrases } from './page-wording.mjs'
import { projectRoot } from './project-root.mjs'

/** Phrases that are not what a native engineer writes, each with what to write. @type {[RegExp, string][]} */
export const phrases = [
  [/\b(?:that|which|it|this|what|they) (?:is|are|was|were) no (?!longer\b|more\b|less\b|such\b|other\b|one\b)[a-z]/i, 'is not a …'],
  [/\bno part of that of\b/i, 'not counted in …'],
  [/\b(?:that|which) (?:is|are) said\b/i, 'with a warning, with a message'],
  [/\bthere is no .{1,80} to list .{1,40} after\b/i, 'after: … was not found'],
  [/\bwhat is (?:no [a-z]+|not there)\b/i, 'anything that is not …, missing …'],
  [/\b(?:how to )?mend(?:s|ed|ing)?\b/i, 'fix, repair'],
]

/**
 * The same for comments of product code and for the documentation. They are read as a reference, so that a figure of speech or an old word costs more
 * there than in a test.
 * @type {[RegExp, string][]}
 */
export const commentPhrases = [
  [/\bstands? for\b/i, 'is, means, represents'],
  [/\bas (?:it|they) stands?\b/i, 'unchanged, as it is'],
  [/\bstands? (?:in|at|behind|before|there|by|under|on|after|as)\b/i, 'is in, is at …'],
  [/\b(?:stood|standing)\b/i, 'was, being'],
  [/\b(?:somebody|nobody|everybody|anybody)\b/i, 'the user, another request, no reader …'],
  [/\bwhoever\b/i, 'the caller, the reader …'],
  [/\bin place of\b/i, 'instead of'],
  [/\bas long as (?:it|they) (?:is|are) (?:there|needed|kept)\b/i, 'while it exists, until it is deleted'],
  [/\bwhere there (?:is|are) (?:none|no|one)\b/i, 'if there is no …'],
  [/\bask(?:ed|s) for\b/i, 'requested, requests'],
  [/\banew\b/i, 'again'],
  [/\bin turns\b/i, 'alternately'],
  [/\bwholly\b/i, 'entirely'],
  [/\bin vain\b/i, 'without effect'],
  [/\b(?:thereby|hence|whence|thence|lest)\b/i, 'so, therefore'],
  [/\bgo(?:es)? on\b/i, 'continues'],
  [/\bjudge?ments?\b/i, 'feedback, score'],
  [/\bfor good\b/i, 'permanently'],
  [/\bcomes? of\b/i, 'is a result of'],
  [/\bsays? so\b/i, 'reports it, documents it'],
  [/\b(?:tells?|told) (?:of|apart|from)\b/i, 'distinguishes, reports'],
  [/\b(?:is|not) told\b/i, 'is notified, does not get'],
  [/\btells? (?:what|how|why|that|which|whether)\b/i, 'reports, describes'],
  [/\b(?:takes?|taken) apart\b/i, 'parses, splits'],
  [/\b(?:looked|taken) for\b/i, 'searched, treated as'],
  [/\bbecame of\b/i, 'the outcome of'],
  [/\bholds? up\b/i, 'delays, blocks'],
  [/\b(?:have|has|had) (?:their|its|a) turn\b/i, 'run, are processed'],
  [/\bknows? nothing\b/i, 'does not depend on'],
  [/\b(?:heard|hears?)\b/i, 'is notified'],
  [/\b(?:borne|bears?|reckon\w*)\b/i, 'carries, counts'],
  [/\bthrown away\b/i, 'discarded, dropped'],
  [/\bput (?:away|by)\b/i, 'stored'],
  [/\bof what (?:is|was|it|they|a|the)\b/i, 'name the thing: of the rows …'],
  [/\bthan what\b/i, 'than the …'],
  [/\bgiv(?:es?|en) back\b/i, 'returns, releases'],
  [/\bturn by turn\b/i, 'alternately, one at a time'],
  [/\bfor want of\b/i, 'without'],
  [/\b(?:till|upon|shall|folk|naught|nought|aught)\b/i, 'until, on, must …'],
  [/\blets? go\b/i, 'releases'],
  [/(?:\/\*\*|\/\/|^ *\*) Of (?:the|an?|them)\b/m, 'begin with the thing: rows of the …'],
]

const folders = ['packages', 'apps', 'benchmarks', 'docs', '.scripts', '.config']
const pages = ['README.md', 'AGENTS.md']
const skipped = new Set(['node_modules', 'dist', 'vectors'])
/** @param {string} path */
const isRead = (path) => /\.(?:ts|tsx|mjs|cjs|md|py)$/.test(path) && !path.endsWith('CHANGELOG.md')
/** The phrases themselves, and their test. @param {string} path */
const isOurs = (path) => /^\.scripts\/(?:page-)?wording\./.test(path)
/** Code whose comments are held to the second list, tests included. @param {string} path */
const hasComments = (path) => /^(?:packages|apps|\.scripts|benchmarks)\/.*\.(?:ts|tsx|mjs)$/.test(path)
/** The contract, whose texts are the reference of the API. @param {string} path */
const isContract = (path) => /^packages\/core-api\/src\/(?!testing\/|.*\.test)/.test(path)
/** Held to the second list as a whole. @param {string} path */
const isDocumentation = (path) => pages.includes(path) || path.startsWith('docs/')
/** What people see. @param {string} path */
const isPage = (path) => /^apps\/web\/src\/.*\.tsx$/.test(path)

/** @typedef {{ line: number, found: string, instead: string }} Finding */

/**
 * Phrases of a list in a text, by line.
 * @param {string} text
 * @param {(line: string) => string} [partOf] the part of each line that is read
 * @returns {Finding[]}
 */
export function findPhrases(text, list = phrases, partOf = (line) => line) {
  if (!list.some(([pattern]) => pattern.test(text))) return []
  return text.split('\n').flatMap((line, at) =>
    list.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(partOf(line)) ?? []
      return found === undefined ? [] : [{ line: at + 1, found, instead }]
    }),
  )
}

/** The comment of a line of code; '' if it has none. @param {string} line */
const commentOf = (line) => (/^\s*\*\/?(?: |$)/.test(line) ? line : (/(?:^|\s)(?:\/\/ |\/\*).*$/.exec(line)?.[0] ?? ''))

/** Phrases of `commentPhrases` in the comments of a source file, by line. @param {string} text */
export const findCommentPhrases = (text) => findPhrases(text, commentPhrases, commentOf)

/** The sentences among the strings of a line of code. @param {string} line */
const sentencesOf = (line) => (line.match(/(['"`])(?:(?!\1)[^\\]|\\.)*\1/g) ?? []).filter((string) => string.includes(' ')).join('\n')

/** Phrases of `commentPhrases` in the strings of a source file, by line. @param {string} text */
export const findPhrasesOfStrings = (text) => findPhrases(text, commentPhrases, sentencesOf)

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : filesIn(path)
    return entry.isFile() ? [path] : []
  })
}

function checkAll() {
  const paths = [...pages, ...folders.flatMap(filesIn)].filter((path) => isRead(path) && !isOurs(path))
  return paths.flatMap((path) => {
    const text = readFileSync(join(projectRoot, path), 'utf8')
    const findings = [
      ...findPhrases(text),
      ...(hasComments(path) ? findCommentPhrases(text) : []),
      ...(isContract(path) ? findPhrasesOfStrings(text) : []),
      ...(isDocumentation(path) ? findPhrases(text, commentPhrases) : []),
      ...(isPage(path) ? findPagePhrases(text, path) : []),
    ]
    return findings.map(({ line, found, instead }) => `${path}:${line}: "${found}"; write: ${instead}`)
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const findings = checkAll()
  if (findings.length > 0) process.stdout.write(`${findings.join('\n')}\n`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
