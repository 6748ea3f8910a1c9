/** A file of a model folder that is missing, damaged, or of a kind that is not supported. The message names the file. */
export class TokenizerError extends Error {
  override readonly name = 'TokenizerError'
}

/** Why a chat template does not take a conversation. The message is for the one who sent the conversation. */
export class ChatTemplateError extends Error {
  override readonly name = 'ChatTemplateError'
}
