/** One message of a conversation with a model, in one form whatever convention recorded it. */
export interface Message {
  /** `system`, `user`, `assistant` or `tool`; another role as it was recorded, in lower case. */
  role: string
  /** Name of the participant, where one was recorded. */
  name?: string
  /** In their order in the conversation. Never empty. */
  parts: readonly MessagePart[]
}

export type MessagePart = TextPart | ToolCallPart | ToolResultPart | MediaPart | OtherPart

/** `reasoning` is the model's reasoning before its answer, `refusal` why it gave none. */
export interface TextPart {
  type: 'text' | 'reasoning' | 'refusal'
  text: string
}

/** A tool call requested by the model. */
export interface ToolCallPart {
  type: 'tool_call'
  /** Undefined where the convention gives calls no id. */
  id?: string
  name: string
  /** As recorded: mostly JSON text or an object. Null where none were recorded. */
  arguments: unknown
}

/** The result of a tool. */
export interface ToolResultPart {
  type: 'tool_result'
  /** Id of the call that it answers. */
  id?: string
  /** Name of the tool, also where only the call before it has the name. */
  name?: string
  /** As recorded: mostly text. */
  result: unknown
}

/** An image, a sound, a film or another file. At least one of `url`, `data` and `fileId` is there. */
export interface MediaPart {
  type: 'media'
  modality: 'image' | 'audio' | 'video' | 'file'
  mimeType?: string
  url?: string
  /** Base64. */
  data?: string
  /** Name under which a provider holds it. */
  fileId?: string
  /** Name of the file. */
  name?: string
}

/** A part in no known form, as it was recorded. */
export interface OtherPart {
  type: 'other'
  value: unknown
}
