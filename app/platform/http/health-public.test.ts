import { expect, test, vi } from 'vitest'

const TOKEN = vi.hoisted(() => {
  process.env['SITE_URL'] = 'https://winnow.example'
  return (process.env['METRICS_TOKEN'] = 'a token of twenty-four..')
})

import { startEndpoints } from '#test/app.ts'

const app = await startEndpoints()

/** A request as nginx forwards it without proxy settings: from this machine, under the name of its upstream. */
const passedOn = { url: '/metrics', remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:3000' } }

test('the metrics of a public site need their token, although the proxy in front is on this machine and adds no headers', async () => {
  expect((await app.inject(passedOn)).statusCode).toBe(403)
  expect((await app.inject({ ...passedOn, headers: { ...passedOn.headers, authorization: `Bearer ${TOKEN}` } })).statusCode).toBe(200)
})

test('the emails of a public site are on no page, although the proxy in front is on this machine', async () => {
  for (const url of ['/dev/mail.json', '/dev/mail/00000000-0000-7000-8000-000000000000'])
    expect((await app.inject({ ...passedOn, url })).statusCode).toBe(404)
})
