import type { McpClient } from './mcp-clients.ts'

const maxPages = 200

/** All entries of a tool that answers in pages, page by page. @throws when a page has an error, or when there is no end */
export async function walkPages(client: McpClient, tool: string, args: Record<string, unknown>, key: string): Promise<Walk> {
  const walk: Walk = { entries: [], pages: 0, total: undefined }
  for (let cursor: string | undefined; walk.pages < maxPages;) {
    const { structuredContent } = await client.call(tool, { ...args, ...(cursor !== undefined && { cursor }) })
    if (structuredContent?.error) throw new Error(`${tool}: ${structuredContent.error.message}`)
    walk.entries.push(...(structuredContent?.data[key] as Record<string, unknown>[]))
    walk.pages++
    walk.total = structuredContent?.page?.total
    cursor = structuredContent?.page?.next_cursor
    if (cursor === undefined) return walk
  }
  throw new Error(`${tool}: no end after ${maxPages} pages`)
}

export interface Walk {
  entries: Record<string, unknown>[]
  pages: number
  /** As the last page says. */
  total: number | undefined
}
