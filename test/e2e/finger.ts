import type { Page } from '@playwright/test'

type Point = { x: number; y: number }

/** Milliseconds for which the finger rests before it moves. */
const REST = 400

/** Drags with one finger: it rests, moves in steps, and is lifted. */
export async function dragByFinger(page: Page, from: Point, to: Point) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [from])
  await page.waitForTimeout(REST)
  for (let step = 1; step <= 8; step++) {
    const at = (one: number, other: number) => one + ((other - one) * step) / 8
    await send('touchMove', [{ x: at(from.x, to.x), y: at(from.y, to.y) }])
  }
  await send('touchEnd', [])
  await session.detach()
}
