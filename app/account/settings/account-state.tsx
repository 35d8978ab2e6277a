import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ACCOUNT, type OwnAccount, ownAccount } from './account.ts'

type AccountStateProps = {
  /** The account as the document has it. */
  first?: OwnAccount | undefined
  children: (account: OwnAccount) => React.ReactNode
}

/** Renders the content once the account is loaded. */
export function AccountState({ first, children }: AccountStateProps) {
  const account = useQuery({ ...apiQuery(ACCOUNT, ownAccount), ...(first && { initialData: first }) })
  if (account.isPending) {
    return (
      <Card>
        <Loading>Loading your account...</Loading>
        <Skeleton lines={6} />
      </Card>
    )
  }
  if (account.isError) return <Failed error={account.error} retry={account.refetch} />
  return <div className="grid grid-cols-1 gap-6">{children(account.data)}</div>
}

/** Reloads all data of the account, its devices and its factors. */
export function useRefreshAccount() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.startsWith(ACCOUNT) })
}
