/** Where jobs write what happened. The log of a service fits. */
export interface JobsLog {
  info(fields: object, message: string): void
  error(fields: object, message: string): void
}
