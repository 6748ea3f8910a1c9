import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '../page.ts'
import type { NamedOperation, OpenApiDocument } from './openapi-document.ts'
import { resourceMarkdown } from './resource-markdown.ts'

const services = [
  { name: 'tracing', title: 'API: tracing and evaluation' },
  { name: 'training', title: 'API: training' },
] as const

/** The reference of the API: for each resource of the contract a page with all its operations. */
export async function referencePages(repository: string): Promise<Page[]> {
  const pages = services.map(async ({ name, title }) => {
    const file = join(repository, 'packages/core-api/openapi', `${name}.json`)
    const document = JSON.parse(await readFile(file, 'utf8')) as OpenApiDocument
    return document.tags.map((tag): Page => {
      const path = `api/${name}/${kebabCase(tag.name)}`
      const markdown = resourceMarkdown({ document, tag, operations: operationsOf(document, tag.name) })
      return { path, source: `docs/${path}.md`, section: title, label: tag.name, title: tag.name, markdown, facts: {} }
    })
  })
  return (await Promise.all(pages)).flat()
}

function operationsOf({ paths }: OpenApiDocument, tag: string): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
