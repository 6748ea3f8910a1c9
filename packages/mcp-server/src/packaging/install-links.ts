import { clients, serverEntry } from '../command/client-settings.ts'

/** Addresses that add this server to an assistant with one click, by the name of the assistant. */
export function installLinks(): Record<string, string> {
  const entry = ({ apiKey }: { apiKey: string }) => JSON.stringify(serverEntry({ baseUrl: null, apiKey }))
  const inBase64 = Buffer.from(entry(clients.cursor)).toString('base64')
  return {
    Cursor: `https://cursor.com/en/install-mcp?name=heddle&config=${encodeURIComponent(inBase64)}`,
    'VS Code': `https://insiders.vscode.dev/redirect/mcp/install?name=heddle&config=${encodeURIComponent(entry(clients.vscode))}`,
  }
}
