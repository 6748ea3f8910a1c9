import { homedir, platform } from 'node:os'
import { join } from 'node:path'

/** Where an assistant keeps its servers. */
export interface ClientSettings {
  /** Path of the file, from the folder of the project or the home of the user. */
  path: string
  /** Key of the object that holds servers by name. */
  key: 'mcpServers' | 'servers'
  /**
   * Placeholder of the API key, replaced by the assistant from its environment, or by the user. The key itself is never written, since such files are
   * shared.
   */
  apiKey: string
}

const home = (...path: string[]) => join(homedir(), ...path)

function desktopPath(): string {
  const file = ['Claude', 'claude_desktop_config.json']
  if (platform() === 'darwin') return home('Library', 'Application Support', ...file)
  return platform() === 'win32' ? home('AppData', 'Roaming', ...file) : home('.config', ...file)
}

const inShell = '${HEDDLE_API_KEY}'
const inEditor = '${env:HEDDLE_API_KEY}'
/** Claude Desktop takes texts as they are. */
const byHand = 'the key from `heddle keys create`'

/** The assistants that `init` knows. */
export const clients = {
  'claude-code': { path: '.mcp.json', key: 'mcpServers', apiKey: inShell },
  'claude-desktop': { path: desktopPath(), key: 'mcpServers', apiKey: byHand },
  cursor: { path: join('.cursor', 'mcp.json'), key: 'mcpServers', apiKey: inEditor },
  vscode: { path: join('.vscode', 'mcp.json'), key: 'servers', apiKey: inEditor },
  windsurf: { path: home('.codeium', 'windsurf', 'mcp_config.json'), key: 'mcpServers', apiKey: inEditor },
} as const satisfies Record<string, ClientSettings>

export interface EntryOptions {
  /** Null leaves the default to the program. */
  baseUrl: string | null
  project?: string | undefined
  apiKey: string
}

/** This server's entry in the settings of an assistant. */
export function serverEntry({ baseUrl, project, apiKey }: EntryOptions): object {
  return {
    command: 'npx',
    args: ['-y', '@heddle/mcp-server'],
    env: {
      ...(baseUrl !== null && { HEDDLE_BASE_URL: baseUrl }),
      ...(project !== undefined && { HEDDLE_PROJECT: project }),
      HEDDLE_API_KEY: apiKey,
    },
  }
}
