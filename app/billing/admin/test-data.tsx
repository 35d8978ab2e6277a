import { useQuery } from '@tanstack/react-query'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { billingData } from './desk.ts'
import { removalBody, TEST_DATA, type TestData, testData } from './test-data.ts'

/** Test payments, shown to the owner; undefined where there are none. The page knows them from its start: a button that comes later would move the tabs. */
export function useTestData(known: TestData | undefined): TestData | undefined {
  const { data } = useQuery({ ...apiQuery(TEST_DATA, testData), enabled: known !== undefined, ...(known && { initialData: known }) })
  return data && Object.values(data).some((count) => count > 0) ? data : undefined
}

const counted = (count: number, one: string) => `${numberText(count)} ${one}${count === 1 ? '' : 's'}`

export function RemoveTestData({ found: { orders, invoices, payments, subscriptions } }: { found: TestData }) {
  return (
    <QuestionButton
      label="Remove test data"
      question="Remove all test data?"
      confirm="Remove test data"
      pending="Removing..."
      action={{
        send: async () => apiRequest('POST', `${TEST_DATA}/remove`, removalBody.parse({ orders })),
        done: 'Test data removed',
        failed: 'Not removed',
        touches: billingData,
      }}
    >
      <p>
        {counted(orders, 'order')}, {counted(invoices, 'invoice')}, {counted(payments, 'payment')} and{' '}
        {counted(subscriptions, 'subscription')} of tests are removed, with their access, refunds, documents and entries in the books.
      </p>
      <p className="mt-3">
        Proposals stay, without the test orders of their deposits and final payments. Real orders are not touched. This cannot be undone.
      </p>
    </QuestionButton>
  )
}
