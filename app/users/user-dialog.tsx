import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { listedUser } from '#app/auth/directory/user-directory.ts'
import { USERS } from './user-admin.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { UserDetail } from './user-detail.tsx'

/** The drawer with the account that the URL names, so it can be shared and left with the back button. */
export function UserDialog({ viewerId: currentUserId, mayDelete }: { viewerId: string; mayDelete: boolean }) {
  const { params, change } = useView()
  const id = params.get('user')
  return id ? <OpenUser id={id} isSelf={id === currentUserId} mayDelete={mayDelete} close={() => change({ user: undefined })} /> : null
}

type Open = { id: string; isSelf: boolean; mayDelete: boolean; close: () => void }

function OpenUser({ id, isSelf, mayDelete, close }: Open) {
  const user = useQuery(apiQuery(`${USERS}/${encodeURIComponent(id)}`, listedUser))
  return (
    <Dialog open side onClose={close} title={user.data?.name ?? user.data?.email ?? 'Account'}>
      {user.isPending && (
        <>
          <Loading>Loading the account...</Loading>
          <Skeleton lines={8} />
        </>
      )}
      {user.isError && <Failed error={user.error} retry={user.refetch} />}
      {user.data && <UserDetail user={user.data} isSelf={isSelf} mayDelete={mayDelete} close={close} />}
    </Dialog>
  )
}
