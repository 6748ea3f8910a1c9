import type { PipelineSettings } from '../sending/pipeline-settings.ts'

/** Settings of the program; omitted ones are read from the environment, and then have a default. */
export interface ExporterOptions extends Partial<PipelineSettings> {
  /** Address of the Heddle server, to which the path of traces is added. `HEDDLE_BASE_URL`; http://127.0.0.1:7400 unless set. */
  baseUrl?: string | undefined
  /** Full address for traces, used unchanged. */
  url?: string | undefined
  /** `HEDDLE_API_KEY`. */
  apiKey?: string | undefined
  /** Project as `entity/project`, for resources that name none. `HEDDLE_PROJECT`. */
  project?: string | undefined
  /** Further headers; they win over those of the environment and over the key. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Milliseconds for one export with all its attempts; 10,000 unless set. */
  timeoutMs?: number | undefined
  /** `gzip`, for bodies above 1 KB, unless set or the server is on this machine. */
  compression?: 'gzip' | 'none' | undefined
  /** Folder in which spans wait while the server is away. `HEDDLE_SPOOL_DIR`; none unless set. */
  spoolDir?: string | undefined
  /** Bytes that the folder may hold; 256 MB unless set. */
  maxSpoolBytes?: number | undefined
  /** Switches everything off. `HEDDLE_DISABLED`. */
  disabled?: boolean | undefined
  /** Variables to read instead of those of the process. */
  environment?: Readonly<Record<string, string | undefined>> | undefined
}

/** All that an exporter needs to know, decided. */
export interface ExporterSettings {
  url: string
  headers: Readonly<Record<string, string>>
  /** Source of the key and its last characters, for messages. */
  keyHint: string
  timeoutMs: number
  compression: 'gzip' | 'none'
  tls: { certificate: string | undefined; clientCertificate: string | undefined; clientKey: string | undefined }
  spoolDir: string | undefined
  maxSpoolBytes: number
  disabled: boolean
  pipeline: PipelineSettings
}
