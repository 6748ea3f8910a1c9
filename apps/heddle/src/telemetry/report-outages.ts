import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { ServerLog } from '../log/server-log.ts'

interface Exporter<Items> {
  export(items: Items, onResult: (result: ExportResult) => void): void
}

/** Logs once that a receiver refuses or does not respond, until it accepts something again. What could not be sent is dropped, as by every exporter. */
export function reportOutages<Items, Of extends Exporter<Items>>(
  exporter: Of & Exporter<Items>,
  to: { what: string; log: Pick<ServerLog, 'warn'> },
): Of {
  const send = exporter.export.bind(exporter)
  let isOut = false
  exporter.export = (items, onResult) =>
    send(items, ({ code, error }) => {
      const isFailed = code === ExportResultCode.FAILED
      if (isFailed && !isOut)
        to.log.warn(
          { err: error },
          `the server's own ${to.what} could not be sent to HEDDLE_TELEMETRY_URL; this is logged once until they are accepted`,
        )
      isOut = isFailed
      // Processors hand a failure to the handler of the process, which writes it to the console.
      onResult({ code: ExportResultCode.SUCCESS })
    })
  return exporter
}
