/** Settings of an assistant that accepts addresses of MCP servers. The key is in its environment, since such files are shared. */
export const assistantSettings = (url: string): string => {
  const headers = { Authorization: 'Bearer ${HEDDLE_API_KEY}' }
  return JSON.stringify({ mcpServers: { heddle: { type: 'http', url: `${url}/mcp`, headers } } }, null, 2)
}

/** Commands for an assistant that starts programs: the first shows what would change in its settings. */
export const assistantCommands = ({ url, project }: { url: string; project: string }): string =>
  [
    `export HEDDLE_BASE_URL=${quoted(url)} HEDDLE_API_KEY=KEY`,
    `npx @heddle/mcp-server init claude-code --project ${quoted(project)}`,
    `npx @heddle/mcp-server init claude-code --project ${quoted(project)} --write`,
  ].join('\n')

/** One word of a shell, whatever is in it. */
const quoted = (word: string) => (/^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
