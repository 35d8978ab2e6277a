import { afterEach, expect, test, vi } from 'vitest'
import { conversionFunction } from '#app/content/conversion-function.ts'
import { reportConversion } from './use-enquiry.tsx'

const install = (report: unknown) => vi.stubGlobal('window', { [conversionFunction]: report })

afterEach(() => vi.unstubAllGlobals())

test('the operator’s function is called once, with nothing of the enquiry', () => {
  const calls: unknown[][] = []
  install((...given: unknown[]) => void calls.push(given))
  reportConversion()
  expect(calls).toEqual([[]])
})

test.each([undefined, null, 'text', 1, {}])('where there is none, nothing happens: %j', (report) => {
  install(report)
  expect(reportConversion).not.toThrow()
})

test('one that throws, or fails later, keeps no enquiry from being sent', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  install(() => {
    throw new Error('the operator’s own mistake')
  })
  expect(reportConversion).not.toThrow()
  install(() => Promise.reject(new Error('later')))
  expect(reportConversion).not.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

test('a window that cannot even be asked keeps none, either', () => {
  const closed = new Proxy(
    {},
    {
      get: () => {
        throw new DOMException('Blocked', 'SecurityError')
      },
    },
  )
  vi.stubGlobal('window', closed)
  expect(reportConversion).not.toThrow()
})
