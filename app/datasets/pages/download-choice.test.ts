import { afterEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#app/platform/browser/api.ts'
import { toProblem } from '#app/platform/errors/problem.ts'
import { UNAUTHORIZED } from '#app/account/session/signed-out.ts'
import { afterFailure, DOWNLOAD_STARTED, takeProduct } from './download-choice.ts'

const refused = (status: number, extra: { checkoutUrl?: string } = {}) =>
  new ApiError(status, 'text', toProblem(status, 'No', 'No.', extra))
const failed = { tell: { title: 'Download Failed', description: 'Failed to start download. Please try again.', look: 'danger' } }

afterEach(() => void vi.unstubAllGlobals())

test("the type is posted, and the answer's downloadUrl is opened if it is there and not '#'", async () => {
  const sent: unknown[] = []
  const answers = [{ downloadUrl: '/files/1' }, { downloadUrl: '#' }, {}, { downloadUrl: null }, { downloadUrl: '' }]
  vi.stubGlobal('fetch', async (url: string, { method, body, credentials }: { method: string; body: string; credentials: string }) => {
    sent.push([method, url, credentials, JSON.parse(body)])
    return Response.json(answers[sent.length - 1])
  })
  const opened = []
  for (const downloadType of ['file', 'api', 'file', 'file', 'file'] as const) opened.push(await takeProduct('1', { downloadType }))
  expect(opened).toEqual(['/files/1', undefined, undefined, undefined, undefined])
  expect(sent.slice(0, 2)).toEqual(
    ['file', 'api'].map((downloadType) => ['POST', '/api/data-products/1/download', 'include', { downloadType }]),
  )
})

test('who asks first for a large file waits until it is made, is told so once, and then has it', async () => {
  const making = toProblem(503, 'Not now', 'Being made.', { code: 'being_made' })
  const answers = [
    () => Response.json(making, { status: 503 }),
    () => Response.json(making, { status: 503 }),
    () => Response.json({ downloadUrl: '/files/1' }),
  ]
  let asked = 0
  vi.stubGlobal('fetch', async () => answers[asked++]?.())
  const told = vi.fn<() => void>()
  expect(await takeProduct('1', { downloadType: 'file' }, told)).toBe('/files/1')
  expect([asked, told.mock.calls.length]).toEqual([3, 1])
  // Other reasons are not retried.
  vi.stubGlobal('fetch', async () => Response.json((asked += 1) && toProblem(503, 'Not now', 'Too much at once.'), { status: 503 }))
  await expect(takeProduct('1', { downloadType: 'file' }, told)).rejects.toMatchObject({ status: 503 })
  expect([asked, told.mock.calls.length]).toEqual([4, 1])
})

describe('when a product cannot be taken', () => {
  test('who is signed out is told by whoever watches over all calls, with the specified words, and by no second toast', () => {
    expect(afterFailure(refused(401))).toBeUndefined()
    expect(UNAUTHORIZED).toEqual({ title: 'Unauthorized', description: 'You are logged out. Logging in again...' })
  })

  test('any other failure reads that the download failed', () => {
    for (const error of [refused(403), refused(409), refused(500), new ApiError(502, 'Bad Gateway'), new TypeError('fetch failed')])
      expect(afterFailure(error)).toEqual(failed)
  })

  test('D7: who has to pay goes to where access is asked for, and nowhere outside of this site', () => {
    expect(afterFailure(refused(402, { checkoutUrl: '/data-marketplace/a#request-access' }))).toEqual({
      goTo: '/data-marketplace/a#request-access',
    })
    for (const checkoutUrl of [undefined, 'https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)'])
      expect(afterFailure(refused(402, checkoutUrl === undefined ? {} : { checkoutUrl }))).toEqual(failed)
    expect(afterFailure(refused(403, { checkoutUrl: '/elsewhere' }))).toEqual(failed)
  })
})

test('what follows on success is said in the specified words', () => {
  expect(DOWNLOAD_STARTED).toEqual({ title: 'Download Started', description: 'Your data download has been initiated successfully.' })
})
