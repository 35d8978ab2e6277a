import type { Page } from '@playwright/test'
import { expect, readingTest as test } from './fixtures.ts'

const island = (page: Page) => page.locator('[data-island]').first()
const name = (page: Page) => island(page).getByLabel('Name', { exact: true })
const awake = (page: Page) => expect(island(page)).toHaveAttribute('data-awake', 'yes')

const isIslandScript = /\/assets\/contact-form\.island-.*\.js/

test('an island sleeps until someone points at it or enters it', async ({ page }) => {
  await page.goto('/contact')
  await page.waitForLoadState('networkidle')
  await expect(island(page)).not.toHaveAttribute('data-awake')

  await name(page).hover()
  await awake(page)

  await page.reload()
  await page.waitForLoadState('networkidle')
  await expect(island(page)).not.toHaveAttribute('data-awake')
  await name(page).focus()
  await awake(page)
})

test('text typed before an island woke remains, with focus and caret', async ({ page }) => {
  const delivery = Promise.withResolvers<void>()
  await page.route(isIslandScript, async (route) => {
    await delivery.promise
    await route.continue()
  })
  await page.goto('/contact')
  await name(page).pressSequentially('Ada Lovelace')
  await page.keyboard.press('ArrowLeft')
  await expect(island(page)).toHaveAttribute('data-awake', 'soon')
  delivery.resolve()
  await awake(page)
  await expect(name(page)).toHaveValue('Ada Lovelace')
  await expect(name(page)).toBeFocused()
  await page.keyboard.type('c')
  await expect(name(page)).toHaveValue('Ada Lovelacce')
})

test('an island whose script cannot be had stays a form that works, and tries again when it is touched again', async ({ page }) => {
  await page.route(isIslandScript, (route) => route.abort())
  await page.goto('/contact')
  const failed = page.waitForEvent('pageerror')
  await name(page).fill('Ada')
  await failed
  await expect(island(page)).not.toHaveAttribute('data-awake')
  await expect(name(page)).toHaveValue('Ada')
  await expect(island(page).locator('form')).toHaveAttribute('method', /post/i)

  await page.unroute(isIslandScript)
  await island(page).getByLabel('Email').focus()
  await awake(page)
  await expect(name(page)).toHaveValue('Ada')
})

test('an island that breaks while it wakes leaves the native form, with what was typed', async ({ page }) => {
  const broken = 'export const ContactForm = () => { throw new Error("broken on purpose") }; export const wake = () => {}'
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.route(isIslandScript, async (route) => {
    const answer = await route.fetch()
    const script = await answer.text()
    const renders = /(function \w+\(\{refused)/
    await route.fulfill({ response: answer, body: renders.test(script) ? script.replace(renders, 'throw broken;$1') : broken })
  })
  await page.goto('/contact')
  await name(page).fill('Ada')
  await expect.poll(() => errors.length).toBeGreaterThan(0)
  await expect(name(page)).toHaveValue('Ada')
  await expect(island(page).getByRole('button', { name: 'Send Message' })).toBeVisible()
})
