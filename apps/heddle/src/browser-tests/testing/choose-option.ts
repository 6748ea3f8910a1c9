import type { Page } from 'playwright-core'

/** Chooses from a select of the page: by its label and the text of the option. */
export async function chooseOption(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
