import type { Page } from 'playwright-core'

/** Answers the question that the page asks before it does something, by a button of its dialog. Returns the question, with what follows from it. */
export async function answerQuestion(page: Page, button: string): Promise<string> {
  const dialog = page.getByRole('alertdialog')
  await dialog.waitFor()
  const texts = await dialog.locator('h2, p').allTextContents()
  const question = texts.filter((text) => text !== '').join(' ')
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.filter({ hasText: texts[0] ?? '' }).waitFor({ state: 'detached' })
  return question
}
