import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** Path of the document from the root of the repository, with slashes. */
  document: string
  /** Line of its first fence, from 1. */
  line: number
  /** First word after the fence; empty if it has none. */
  language: string
  /** Its lines without the indentation of the fence, each with a line break. */
  code: string
  /** Position among the blocks of this language in the document, from 1. */
  position: number
}

const fence = /^( *)(`{3,}|~{3,}) *([\w-]*)[^\n]*\n([\s\S]*?)^\1\2 *$/gm

/** The fenced blocks of a document, in its order. */
export function codeBlocksIn(document: string, text: string): CodeBlock[] {
  const seen = new Map<string, number>()
  return [...text.matchAll(fence)].map(({ 1: indent = '', 3: language = '', 4: body = '', index }) => {
    const position = (seen.get(language) ?? 0) + 1
    seen.set(language, position)
    const code = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
    return { document, line: text.slice(0, index).split('\n').length, language, code, position }
  })
}

/** The code of the fenced blocks of a language in a document, in its order. */
export function codeIn(text: string, language: string): string[] {
  return codeBlocksIn('', text).flatMap((block) => (block.language === language ? [block.code] : []))
}

/** A document of the repository. */
export interface RepositoryDocument {
  /** Path from the root of the repository, with slashes. */
  document: string
  text: string
}

/**
 * All documents that the repository keeps, apart from change logs and recorded data.
 * @param root folder of the repository, as an absolute path
 */
export function documentsOfRepository(root: string): RepositoryDocument[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed
    .split('\0')
    .filter((path) => path !== '' && !/(^|\/)vectors\/|CHANGELOG\.md$|^\.changeset\//.test(path) && existsSync(join(root, path)))
    .map((document) => ({ document, text: readFileSync(join(root, document), 'utf8') }))
}

/** Code within the sentences of a document, such as names of commands, each on one line. */
export function inlineCodeIn(text: string): string[] {
  return [...text.replaceAll(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}
