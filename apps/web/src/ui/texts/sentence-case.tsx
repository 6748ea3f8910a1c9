/** A word or phrase that begins with a capital letter where it is shown. Its text stays as it is. */
export const SentenceCase = ({ text }: { text: string }) => <span className="inline-block first-letter:uppercase">{text}</span>
