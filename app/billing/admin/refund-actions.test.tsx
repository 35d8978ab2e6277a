import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { RefundSteps } from './refund-actions.tsx'

const refund = { id: 'r1', state: 'asked', amount: 200_000, currency: 'USD' }

function textOf(mayApprove: boolean): string {
  const router = createMemoryRouter([{ path: '/', element: <RefundSteps refund={{ ...refund, mayApprove }} isTransfer={false} /> }])
  const html = renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('a second person approves or declines a refund; the person who asked for it withdraws it', () => {
  expect(textOf(true)).toBe('Approve Decline')
  expect(textOf(false)).toBe('Withdraw')
})
