/** A file of a model folder that is missing, damaged, or of an unsupported kind. The message names the file. */
export class TokenizerError extends Error {
  override readonly name = 'TokenizerError'
}

/** Why a chat template refuses a conversation. The message is for the sender of the conversation. */
export class ChatTemplateError extends Error {
  override readonly name = 'ChatTemplateError'
}
