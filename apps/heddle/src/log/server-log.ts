import { loggedError, type ServiceLog } from '@heddle/service-kit'
import { noSecrets, type SecretMask } from '@heddle/outgoing'
import { type DestinationStream, pino } from 'pino'
import { escapeUnseen } from '../terminal/terminal-text.ts'

/** Requires a message with every line: otherwise the message of an error would replace it. */
export interface ServerLog extends ServiceLog {
  warn(fields: object, message: string): void
}

/** The log of the server, as JSON lines without these secrets and without characters that a terminal obeys or does not show. Of errors it holds kind and place, since their words may quote a payload. */
export function createServerLog(level: string, destination: DestinationStream, secrets: SecretMask = noSecrets): ServerLog {
  const masked = { write: (line: string) => destination.write(escapeUnseen(secrets.text(line))) }
  return pino({ level, serializers: { err: (error: unknown) => loggedError(error) } }, masked)
}
