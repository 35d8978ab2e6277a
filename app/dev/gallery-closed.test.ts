import { expect, test, vi } from 'vitest'
import { startApp } from '#test/app.ts'

vi.hoisted(() => {
  process.env.SITE_URL = 'https://winnow.example'
})

test('an installation that others can reach has no gallery', async () => {
  const reply = await (await startApp()).inject('/dev/gallery')
  expect([reply.statusCode, /<title>(.*?)<\/title>/.exec(reply.body)?.[1]]).toEqual([404, '404 Page Not Found'])
})
