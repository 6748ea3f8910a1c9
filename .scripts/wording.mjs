import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

const folders = ['packages', 'apps', 'benchmarks', 'docs', '.scripts', '.config']
const pages = ['README.md', 'AGENTS.md']
const skipped = new Set(['node_modules', 'dist', 'vectors'])
/** @param {string} path */
const isRead = (path) => /\.(?:ts|tsx|mjs|cjs|md|py)$/.test(path) && !path.endsWith('CHANGELOG.md')
/** The phrases themselves, and their test. @param {string} path */
const isOurs = (path) => path.startsWith('.scripts/wording.')

/**
 * Phrases of the list in a text, by line.
 * @param {string} text
 * @returns {{ line: number, found: string, instead: string }[]}
 */
export function findPhrases(text) {
  if (!phrases.some(([pattern]) => pattern.test(text))) return []
  return text.split('\n').flatMap((line, at) =>
    phrases.flatMap(([pattern, instead]) => {
      const [found] = pattern.exec(line) ?? []
      return found === undefined ? [] : [{ line: at + 1, found, instead }]
    }),
  )
}

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
  return paths.flatMap((path) =>
    findPhrases(readFileSync(join(projectRoot, path), 'utf8')).map(
      ({ line, found, instead }) => `${path}:${line}: "${found}"; write: ${instead}`,
    ),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const findings = checkAll()
  if (findings.length > 0) process.stdout.write(`${findings.join('\n')}\n`)
  process.exitCode = findings.length > 0 ? 1 : 0
}
