import { expect, readingTest as test, untilLive } from './fixtures.ts'

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })

  test('the drawer opens at the right edge, and Escape closes it', async ({ page }) => {
    await page.goto('/services')
    await page.getByRole('button', { name: 'Open menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/api/login')
    await expect(drawer.getByRole('link', { name: 'Services' })).toHaveAttribute('aria-current', 'page')
    await expect.poll(async () => (await drawer.boundingBox())?.x).toBe(390 - 320)
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
  })

  test('the theme is chosen by a native form, and the same page comes back dark', async ({ page }) => {
    await page.goto('/about')
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect(page).toHaveURL('/about')
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
    await expect(page.getByRole('button', { name: 'Dark' })).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('button', { name: 'System' }).click()
    await expect(page.locator('html')).toHaveCSS('color-scheme', 'light dark')
  })

  test('the first Tab leads past the header', async ({ page }) => {
    await page.goto('/')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('main').getByRole('link').first()).toBeFocused()
  })
})

test('a link in a live page keeps the document, and shows the next page from its top with the focus in it', async ({ page }) => {
  await page.goto('/dev/gallery')
  await untilLive(page)
  const settled = page.waitForFunction(() => 'kept' in window)
  await page.evaluate(() => Object.assign(window, { kept: true }))
  await settled
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click()
  await expect(page).toHaveURL('/about')
  // The address is the first to change.
  await expect(page.getByRole('main')).toBeFocused()
  expect(await page.evaluate(() => ['kept' in window, window.scrollY])).toEqual([true, 0])
})

test('one toast is shown at a time, stays while it is pointed at, and can be left by keyboard', async ({ page }) => {
  await page.clock.install()
  await page.goto('/dev/gallery')
  const shown = page.getByRole('region', { name: 'Notifications' })
  await page.getByRole('button', { name: 'Toast', exact: true }).click()
  await expect(shown.getByRole('status')).toContainText('Download Started')
  await page.getByRole('button', { name: 'Toast of danger' }).click()
  await expect(shown.getByRole('alert')).toContainText('Failed to send message. Please try again.')
  await expect(shown.getByRole('status')).toBeEmpty()

  await shown.getByText('Error').hover()
  await page.clock.runFor(60_000)
  await expect(shown.getByRole('alert')).toContainText('Error')
  await page.mouse.move(0, 0)
  await page.clock.runFor(5_000)
  await expect(shown.getByRole('alert')).toBeEmpty()

  await page.getByRole('button', { name: 'Toast', exact: true }).click()
  await shown.getByRole('button', { name: 'Dismiss' }).press('Escape')
  await expect(shown.getByRole('status')).toBeEmpty()
})

test('a dialog keeps the focus and gives it back', async ({ page }) => {
  await page.goto('/dev/gallery')
  const opener = page.getByRole('button', { name: 'Confirm' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this blog post?' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test.describe('for those who want less motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('a window that changes its size shows the page in its new shape at once', async ({ page }) => {
    await page.goto('/hire-web-scraping-developer')
    await page.evaluate(() => {
      addEventListener('resize', () =>
        requestAnimationFrame(() =>
          Object.assign(window, { underWay: document.getAnimations().filter((one) => one instanceof CSSTransition).length }),
        ),
      )
    })
    await page.setViewportSize({ width: 320, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    const underWay = await page.waitForFunction(() => 'underWay' in window && [window.underWay])
    expect(await underWay.jsonValue()).toEqual([0])
  })
})
