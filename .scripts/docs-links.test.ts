import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './project-root.mjs'

const documents = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && !/vectors\/|CHANGELOG\.md$|^\.changeset\//.test(path) && existsSync(join(projectRoot, path)))

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '')

/** As code hosts make them of headings: a heading that comes again gets a number. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutCode(readFileSync(path, 'utf8')).matchAll(/^#{1,6} (.+)$/gm)) {
    const plain = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
    const slug = plain.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    for (let again = 0; ; again++) {
      const anchor = again === 0 ? slug : `${slug}-${again}`
      if (anchors.has(anchor)) continue
      anchors.add(anchor)
      break
    }
  }
  return anchors
}

/** The links of a document to this repository that lead nowhere. */
function deadLinks(document: string): string[] {
  const path = join(projectRoot, document)
  const text = withoutCode(readFileSync(path, 'utf8')).replaceAll(/`[^`\n]*`/g, '')
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link).filter((link) => !/^[a-z][a-z+.-]*:/i.test(link))
  return links.filter((link) => {
    const [file = '', anchor] = link.split('#')
    const target = file === '' ? path : join(dirname(path), file)
    if (!existsSync(target) || relative(projectRoot, target).startsWith('..')) return true
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor)
  })
}

test.each(documents)('every link of %s to a file or heading of this repository resolves', (document) => {
  expect(deadLinks(document)).toEqual([])
})
