import { existsSync, readFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'

const machineIdFile = '/etc/machine-id'

/**
 * Replaces what names this machine, byte for byte, so that lengths inside protobuf messages stay true:
 * the folder where programs ran, the home folder, the name of the host and the id of the machine.
 */
export function scrub(bytes: Buffer, folders: readonly string[]): Buffer {
  const clean = Buffer.from(bytes)
  for (const folder of [...folders, homedir()]) replaceAll(clean, folder, '/recorded')
  if (hostname().length > 3) replaceAll(clean, hostname(), 'host')
  const machineId = existsSync(machineIdFile) ? readFileSync(machineIdFile, 'utf8').trim() : ''
  if (machineId !== '') replaceAll(clean, machineId, '0'.repeat(machineId.length))
  return clean
}

function replaceAll(bytes: Buffer, found: string, replacement: string): void {
  const length = Buffer.byteLength(found)
  const filler = replacement.slice(0, length).padEnd(length, '_')
  for (let at = bytes.indexOf(found); at !== -1; at = bytes.indexOf(found, at + length)) bytes.write(filler, at)
}
