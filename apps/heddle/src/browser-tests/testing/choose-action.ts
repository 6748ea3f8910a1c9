import type { Locator, Page } from 'playwright-core'

/** Does what an item of the menu of further actions of a page does. */
export async function chooseAction(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** The menu of the columns of a list, opened. */
export async function openColumns(page: Page): Promise<Locator> {
  const menu = page.getByRole('dialog', { name: 'Columns' })
  if ((await menu.count()) === 0) await page.getByRole('button', { name: 'Columns' }).click()
  await menu.waitFor()
  return menu
}

/** Does what an item of the menu of a row of a table does. @param of the name of the row, as the button of its menu has it */
export async function chooseRowAction(page: Page, of: string | RegExp, name: string): Promise<void> {
  await page.getByRole('button', { name: of }).first().click()
  await page.getByRole('menuitem', { name }).click()
}
