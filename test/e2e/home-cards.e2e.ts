import { expect, readingTest as test } from './fixtures.ts'

for (const width of [360, 1440]) {
  test(`no line in the pictures of the service cards is cut, at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/')
    const frames = page.locator('article[aria-labelledby^="service-"] > .h-32')
    expect(await frames.count()).toBeGreaterThan(3)
    const cut = await frames.evaluateAll((all) =>
      all.flatMap((frame) => {
        const { top, bottom } = frame.getBoundingClientRect()
        const lines = [...frame.querySelectorAll('p, span')].filter(({ childElementCount }) => childElementCount === 0)
        return lines
          .filter((line) => line.getBoundingClientRect().top < top - 1 || line.getBoundingClientRect().bottom > bottom + 1)
          .map(({ textContent }) => textContent)
      }),
    )
    expect(cut).toEqual([])
  })
}
