import { parseJson, writeJson } from '@heddle/json'
import { decodeLogsJson } from '../../otlp/decode/decode-logs-json.ts'
import { decodeLogsProtobuf } from '../../otlp/decode/decode-logs-protobuf.ts'
import type { DecodedLogs } from '../../otlp/log-record.ts'
import { mapLogs } from '../../otlp/map/map-logs.ts'
import type { LoggedMessages } from '../../records/calls/write/logged-messages.ts'
import { maxValues } from './prepare-by-rules.ts'
import { type Refusal, toRefusal } from './refusal.ts'
import type { SpanRequest } from './span-request.ts'

/** Log records ready to be stored, or why they cannot be. Plain data: it crosses threads. */
export type PreparedLogs = { status: 'prepared'; messages: ProjectMessages[]; rejected: number; message: string } | Refusal

/** Messages of one call. */
export interface ProjectMessages {
  project_id: string
  id: string
  logged: LoggedMessages
}

/** Decodes and maps an export request of log records. Uses nothing but its argument, so it may run in any thread. */
export function prepareLogs({ bytes, encoding, headers, options }: SpanRequest): PreparedLogs {
  try {
    const decoded = decode({ bytes, encoding })
    const { messages, rejections } = mapLogs(decoded, headers, options)
    const replaced =
      decoded.replacedTexts > 0 ? `${decoded.replacedTexts} texts were not valid UTF-8; what could not be read was replaced by U+FFFD` : ''
    return {
      status: 'prepared',
      messages: messages.map(({ project, id, trace_id, at, input, output }) => ({
        project_id: project,
        id,
        logged: { trace_id, at, input: writeJson(input), output: writeJson(output) },
      })),
      rejected: rejections.count,
      message: [rejections.message, replaced].filter((text) => text !== '').join('; '),
    }
  } catch (error) {
    return toRefusal(error)
  }
}

function decode({ bytes, encoding }: Pick<SpanRequest, 'bytes' | 'encoding'>): DecodedLogs {
  return encoding === 'protobuf' ? decodeLogsProtobuf(bytes) : decodeLogsJson(bytes, (source) => parseJson(source, { maxValues }))
}
