import type { Bytes } from '../encoding/concat-bytes.ts'
import { createProtobufEncoding } from '../encoding/protobuf-encoding.ts'
import { createSystemClock, type Clock } from '../clock.ts'
import { explainRefusal } from '../transport/explain-refusal.ts'
import { ExportPipeline } from '../sending/export-pipeline.ts'
import { createLimitedLog, type LimitedLog } from '../limited-log.ts'
import type { Spool } from '../spool/spool.ts'
import type { Transport } from '../transport/transport.ts'
import type { ExporterOptions, ExporterSettings } from '../settings/exporter-options.ts'
import { toExporterSettings } from '../settings/exporter-settings.ts'

/** Differences between Node and runtimes with only web APIs. */
export interface Platform {
  createTransport(settings: ExporterSettings, warn: (message: string) => void): Transport
  compress(body: readonly Bytes[]): Promise<Bytes>
  createSpool: ((options: { folder: string; maxBytes: number }, warn: (message: string) => void) => Spool) | undefined
  clock?: Clock
}

/** A pipeline and its address; undefined when the exporter is disabled. */
export interface ConfiguredPipeline {
  pipeline: ExportPipeline
  url: string
  log: LimitedLog
}

export function createPipeline(options: ExporterOptions, platform: Platform): ConfiguredPipeline | undefined {
  const clock = platform.clock ?? createSystemClock()
  const log = createLimitedLog(clock)
  const warn = (message: string) => log.warn(message, message)
  const settings = toExporterSettings(options, warn)
  if (settings.disabled) return undefined
  const { url, headers, timeoutMs, spoolDir, maxSpoolBytes } = settings
  if (spoolDir !== undefined && platform.createSpool === undefined) warn('the spool requires Node.js; unsent spans are kept in memory only')
  const encoding = createProtobufEncoding()
  const pipeline = new ExportPipeline({
    transport: platform.createTransport(settings, warn),
    url,
    clock,
    log,
    headers: { ...headers, 'content-type': encoding.contentType },
    timeoutMs,
    encoding,
    compress: settings.compression === 'gzip' ? (body) => platform.compress(body) : undefined,
    explain: (refusal) => explainRefusal(settings, refusal),
    settings: settings.pipeline,
    spool: spoolDir === undefined ? undefined : platform.createSpool?.({ folder: spoolDir, maxBytes: maxSpoolBytes }, warn),
  })
  return { pipeline, url, log }
}
