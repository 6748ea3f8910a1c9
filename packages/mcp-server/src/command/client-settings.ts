import { homedir, platform } from 'node:os'
import { join } from 'node:path'

/** Where an assistant keeps its servers. */
export interface ClientSettings {
  /** Of the file, from the folder of the project or the home of the user. */
  path: string
  /** Key of the object that holds servers by name. */
  key: 'mcpServers' | 'servers'
}

const home = (...path: string[]) => join(homedir(), ...path)

function desktopPath(): string {
  const file = ['Claude', 'claude_desktop_config.json']
  if (platform() === 'darwin') return home('Library', 'Application Support', ...file)
  return platform() === 'win32' ? home('AppData', 'Roaming', ...file) : home('.config', ...file)
}

/** The assistants that `init` knows. */
export const clients: Readonly<Record<string, ClientSettings>> = {
  'claude-code': { path: '.mcp.json', key: 'mcpServers' },
  'claude-desktop': { path: desktopPath(), key: 'mcpServers' },
  cursor: { path: join('.cursor', 'mcp.json'), key: 'mcpServers' },
  vscode: { path: join('.vscode', 'mcp.json'), key: 'servers' },
  windsurf: { path: home('.codeium', 'windsurf', 'mcp_config.json'), key: 'mcpServers' },
}

/** What a server entry says. The key is named, never written: files like these are shared. */
export function serverEntry({ baseUrl, project }: { baseUrl: string; project?: string | undefined }): object {
  return {
    command: 'npx',
    args: ['-y', '@heddle/mcp-server'],
    env: { HEDDLE_BASE_URL: baseUrl, ...(project !== undefined && { HEDDLE_PROJECT: project }), HEDDLE_API_KEY: '${HEDDLE_API_KEY}' },
  }
}
